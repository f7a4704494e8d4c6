import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ARABIC_PHONE, expect, expectAccessible, expectPage, LOOKS, open, test } from "./fixtures";

const samplePath = (name: string) => join(import.meta.dirname, "../server/testing/media", name);

test.describe("on a phone, in Arabic and dark", () => {
  test.use(ARABIC_PHONE);

  test("files are uploaded or rejected, attached to a snippet, deleted and restored", {
    tag: "@main",
  }, async ({ page, member, signIn, t }) => {
    test.slow();
    await signIn(page, member.email, member.password);
    await open(page, "/media");
    await expectPage(page, /\/media$/);
    await expect(page.getByText(t("media.empty"))).toBeVisible();

    const [chooser] = await Promise.all([
      page.waitForEvent("filechooser"),
      page.getByRole("button", { name: t("media.upload"), exact: true }).click(),
    ]);
    await chooser.setFiles([
      samplePath("photo.jpg"),
      samplePath("film.mp4"),
      samplePath("letter.pdf"),
      samplePath("refused.gif"),
    ]);
    const queue = page.getByRole("region", { name: t("media.queue.title") });
    await expect(queue.getByText(t("media.queue.done"))).toHaveCount(3);
    await expect(queue.getByRole("alert"), "names the rejected type").toContainText("GIF");
    await expectAccessible(page);
    await queue.getByRole("button", { name: t("media.queue.close") }).click();
    const files = page.getByRole("listbox", { name: t("media.title") });
    for (const name of ["photo.jpg", "film.mp4", "letter.pdf"])
      await expect(files.getByText(name)).toBeVisible();

    await page.evaluate(() => {
      const files = new DataTransfer();
      files.items.add(new File(["%PDF-1.4\n%%EOF"], "dropped.pdf"));
      document.body.dispatchEvent(
        new DragEvent("drop", { dataTransfer: files, bubbles: true, cancelable: true }),
      );
    });
    await expect(files.getByText("dropped.pdf")).toBeVisible();
    await page.evaluate(() => {
      const files = new DataTransfer();
      files.items.add(new File(["%PDF-1.4\n%%EOF"], "pasted.pdf"));
      document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: files, bubbles: true }));
    });
    await expect(files.getByText("pasted.pdf")).toBeVisible();
    await page.getByRole("button", { name: t("media.view.list"), exact: true }).click();
    const table = page.getByRole("table", { name: t("media.title") });
    await expect(table.getByText("pasted.pdf", { exact: true })).toBeVisible();

    await open(page, "/snippets");
    await page.getByRole("button", { name: t("snippets.create"), exact: true }).click();
    const drawer = page.getByRole("dialog", { name: t("snippets.create") });
    await drawer.getByLabel(t("snippets.name"), { exact: true }).fill("Menü");
    await drawer.getByLabel(t("snippets.shortcut")).fill("menu");
    await drawer.getByLabel(t("snippets.body"), { exact: true }).fill("Merhaba");
    await drawer.getByRole("button", { name: t("snippets.chooseFile") }).click();
    const picker = page.getByRole("dialog", { name: t("media.picker.title") });
    await expect(picker.getByText("photo.jpg")).toBeVisible();
    await picker.getByRole("button", { name: "photo.jpg" }).click();
    await expect(drawer.getByText("photo.jpg")).toBeVisible();
    await drawer.getByRole("button", { name: t("snippets.save") }).click();
    await expect(drawer).toHaveCount(0);
    await expect(page.getByRole("table").getByText("photo.jpg")).toBeVisible();

    await open(page, "/media?used=true");
    await expect(table, "the list view is remembered").toBeVisible();
    await page.getByRole("button", { name: "photo.jpg", exact: true }).click();
    const details = page.getByRole("dialog", { name: "photo.jpg" });
    await expect(page).toHaveURL(/[?&]peek=\d+/);
    await open(page, page.url());
    await expect(details.getByRole("link", { name: "Menü" })).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await expect(page).not.toHaveURL(/peek=/);
    await open(page, "/media");
    await page.getByRole("button", { name: `${t("media.delete.button")}: photo.jpg` }).click();
    const confirmDialog = page.getByRole("alertdialog");
    await expect(confirmDialog).toContainText(t("media.delete.used", { count: 1 }));
    await confirmDialog.getByRole("button", { name: t("media.delete.button") }).click();
    await expect(table.getByText("photo.jpg", { exact: true })).toHaveCount(0);
    await page.getByRole("button", { name: t("common.undo") }).click();
    await expect(table.getByText("photo.jpg", { exact: true })).toBeVisible();
  });
});

test("a large upload shows its progress, is cancelled and retried", async ({ page, member, signIn, t }) => {
  await signIn(page, member.email, member.password);
  await open(page, "/media");
  await expectPage(page, /\/media$/);
  const cdp = await page.context().newCDPSession(page);
  const throttleUpload = (uploadThroughput: number) =>
    cdp.send("Network.emulateNetworkConditions", {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput,
    });
  await throttleUpload(400_000);
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    page.getByRole("button", { name: t("media.upload"), exact: true }).click(),
  ]);
  const name = "catalogue.pdf";
  const buffer = Buffer.concat([
    Buffer.from("%PDF-1.4\n"),
    Buffer.alloc(20_000_000, 32),
    Buffer.from("\n%%EOF"),
  ]);
  await chooser.setFiles({ name, mimeType: "application/pdf", buffer });
  const queue = page.getByRole("region", { name: t("media.queue.title") });
  const progressBar = queue.getByRole("progressbar", { name });
  const readProgress = async () => Number(await progressBar.getAttribute("aria-valuenow"));
  await expect.poll(readProgress).toBeGreaterThan(0);
  const earlierProgress = await readProgress();
  await expect.poll(readProgress, "progress continues").toBeGreaterThan(earlierProgress);
  await queue.getByRole("button", { name: `${t("media.queue.cancel")}: ${name}` }).click();
  await expect(queue.getByText(t("media.queue.canceled"))).toBeVisible();
  expect(await readProgress()).toBe(0);
  await throttleUpload(-1);
  await queue.getByRole("button", { name: `${t("media.queue.retry")}: ${name}` }).click();
  await expect(queue.getByText(t("media.queue.done"))).toBeVisible();
  await expect(page.getByRole("listbox", { name: t("media.title") }).getByText(name)).toHaveCount(1);
});

test("a file is uploaded by keyboard", async ({ page, member, signIn, t }) => {
  await signIn(page, member.email, member.password);
  await open(page, "/media");
  await expectPage(page, /\/media$/);
  const uploadButton = page.getByRole("button", { name: t("media.upload"), exact: true });
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), uploadButton.press("Enter")]);
  await chooser.setFiles(samplePath("drawing.png"));
  const files = page.getByRole("listbox", { name: t("media.title") });
  await expect(files.getByText("drawing.png")).toBeVisible();
});

for (const look of [LOOKS[0], LOOKS[3]]) {
  test.describe(`keyboard, ${look.locale}`, () => {
    test.use({ look, viewport: { width: 1280, height: 900 } });

    test("files are focused, opened, selected and deleted by keyboard", async ({
      page,
      member,
      signIn,
      t,
    }) => {
      await signIn(page, member.email, member.password);
      await open(page, "/media");
      const [chooser] = await Promise.all([
        page.waitForEvent("filechooser"),
        page.getByRole("button", { name: t("media.upload"), exact: true }).press("Enter"),
      ]);
      await chooser.setFiles(["photo.jpg", "drawing.png", "letter.pdf", "song.mp3"].map(samplePath));
      const queue = page.getByRole("region", { name: t("media.queue.title") });
      await expect(queue.getByText(t("media.queue.done"))).toHaveCount(4);
      await queue.getByRole("button", { name: t("media.queue.close") }).press("Enter");
      const files = page.getByRole("listbox", { name: t("media.title") });
      const tiles = files.getByRole("option");
      await expect(tiles).toHaveCount(4);
      await expect(files.locator("[tabindex='0']"), "Tab reaches one of them").toHaveCount(1);
      const nextKey = look.locale === "ar" ? "ArrowLeft" : "ArrowRight";

      await tiles.first().focus();
      await page.keyboard.press(nextKey);
      await expect(tiles.nth(1)).toBeFocused();
      await page.keyboard.press("End");
      await expect(tiles.last()).toBeFocused();
      await page.keyboard.press(nextKey);
      await expect(tiles.last(), "the last tile is the end").toBeFocused();
      await page.keyboard.press("Home");
      await expect(tiles.first()).toBeFocused();
      const name = (await tiles.first().locator("bdi").textContent())!;
      await page.keyboard.press("Enter");
      await expect(page.getByRole("dialog", { name })).toBeVisible();
      await page.keyboard.press("Escape");
      await expect(tiles.first()).toBeFocused();

      await page.keyboard.press("Delete");
      const firstConfirmDialog = page.getByRole("alertdialog");
      await firstConfirmDialog
        .getByRole("button", { name: t("media.delete.button"), exact: true })
        .press("Enter");
      await expect(tiles).toHaveCount(3);
      await expect(tiles.first(), "focus moves to the next file").toBeFocused();
      await page.getByRole("button", { name: t("common.undo") }).press("Enter");
      await expect(tiles).toHaveCount(4);

      await tiles.first().focus();
      await page.keyboard.press("Space");
      await page.keyboard.press(nextKey);
      await page.keyboard.press("Space");
      await expect(files.getByRole("option", { selected: true })).toHaveCount(2);
      await expectAccessible(page);
      await page.getByRole("button", { name: t("media.delete.chosen", { count: 2 }) }).press("Enter");
      const confirmDialog = page.getByRole("alertdialog", {
        name: t("media.delete.titleMany", { count: 2 }),
      });
      await confirmDialog
        .getByRole("button", { name: t("media.delete.chosen", { count: 2 }) })
        .press("Enter");
      await expect(tiles).toHaveCount(2);
      // Wait for the focus: a late change would swallow the next key.
      await expect(files.locator("[role=option]:focus"), "focus moves to a remaining file").toHaveCount(1);
      await page.getByRole("button", { name: t("common.undo") }).press("Enter");
      await expect(tiles).toHaveCount(4);
    });
  });
}

test("a duplicate shortcut is reported while typing, and several snippets are deleted and restored", async ({
  page,
  member,
  signIn,
  t,
}) => {
  await signIn(page, member.email, member.password);
  await open(page, "/snippets");
  const drawer = page.getByRole("dialog", { name: t("snippets.create") });
  for (const [title, shortcut] of [
    ["Işık", "ışık"],
    ["Kapı", "kapi"],
  ] as const) {
    await page.getByRole("button", { name: t("snippets.create"), exact: true }).click();
    await drawer.getByLabel(t("snippets.name"), { exact: true }).fill(title);
    await drawer.getByLabel(t("snippets.shortcut")).fill("IŞIK");
    if (title === "Kapı")
      await expect(drawer.getByText(t("snippets.shortcutTaken").split("</b>")[1]!.trim())).toBeVisible();
    await drawer.getByLabel(t("snippets.shortcut")).fill(shortcut);
    await drawer.getByLabel(t("snippets.body"), { exact: true }).fill("Merhaba");
    await drawer.getByRole("button", { name: t("snippets.save") }).click();
    await expect(drawer).toHaveCount(0);
  }
  const table = page.getByRole("table", { name: t("snippets.title") });
  for (const title of ["Işık", "Kapı"])
    await table.getByRole("checkbox", { name: t("snippets.choose", { title }) }).press("Space");
  await page.getByRole("button", { name: t("snippets.deleteChosen", { count: 2 }) }).click();
  await expect(page.getByText(t("snippets.empty"))).toBeVisible();
  await page.getByRole("button", { name: t("common.undo") }).click();
  await expect(table.getByText("Işık", { exact: true })).toBeVisible();
  await expect(table.getByText("Kapı", { exact: true })).toBeVisible();

  const rows = table.locator("tbody").getByRole("row");
  const [firstRow, nextRow] = [rows.first(), rows.nth(1)];
  const nextTitle = (await nextRow.getByRole("button").first().textContent())!;
  await firstRow.getByRole("button", { name: t("snippets.delete") }).press("Enter");
  await expect(rows).toHaveCount(1);
  await expect(
    page.getByRole("button", { name: nextTitle, exact: true }),
    "the focus moves to the row that took the place of the deleted one",
  ).toBeFocused();
});

test.describe("a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test("takes a photo, and the upload queue does not cover the files", async ({
    page,
    member,
    signIn,
    t,
  }) => {
    await signIn(page, member.email, member.password);
    await open(page, "/media");
    const [chooser] = await Promise.all([
      page.waitForEvent("filechooser"),
      page.getByRole("button", { name: t("media.camera") }).click(),
    ]);
    expect(await chooser.element().getAttribute("capture")).toBe("environment");
    await chooser.setFiles([samplePath("photo.jpg")]);
    const [secondChooser] = await Promise.all([
      page.waitForEvent("filechooser"),
      page.getByRole("button", { name: t("media.upload"), exact: true }).click(),
    ]);
    await secondChooser.setFiles(["refused.gif", "refused.wav", "refused.mov"].map(samplePath));
    const queue = page.getByRole("region", { name: t("media.queue.title") });
    await expect(queue.getByRole("alert")).toHaveCount(3);
    await page.getByRole("option", { name: /^photo\.jpg/ }).click();
    await expect(page.getByRole("dialog", { name: "photo.jpg" })).toBeVisible();
  });
});

test("an image of the media library becomes the avatar", async ({ page, member, signIn, t }) => {
  await signIn(page, member.email, member.password);
  await open(page, "/settings/profile");
  await page.getByRole("button", { name: t("settings.avatar.library") }).click();
  const picker = page.getByRole("dialog", { name: t("media.picker.title") });
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    picker.getByRole("button", { name: t("media.picker.upload") }).click(),
  ]);
  await chooser.setFiles(samplePath("photo.jpg"));
  await expect(picker, "an uploaded file is selected").toHaveCount(0);
  await page.getByRole("button", { name: t("settings.avatar.save") }).click();
  await expect(page.getByText(t("settings.avatar.saved"))).toBeVisible();
});

test("uploaded files run no scripts", async ({ page, member, signIn, origin, t }) => {
  await signIn(page, member.email, member.password);
  await open(page, "/media");
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    page.getByRole("button", { name: t("media.upload"), exact: true }).click(),
  ]);
  const script = "<script>document.title='ran'</script>";
  await chooser.setFiles([
    { name: "page.pdf", mimeType: "text/html", buffer: Buffer.from(`%PDF-1.4\n${script}\n%%EOF`) },
    { name: "page.html", mimeType: "text/html", buffer: Buffer.from(script) },
    {
      name: "behind.jpg",
      mimeType: "text/html",
      buffer: Buffer.concat([readFileSync(samplePath("photo.jpg")), Buffer.from(script)]),
    },
    { name: "drawn.svg", mimeType: "image/svg+xml", buffer: Buffer.from(`<svg xmlns="x">${script}</svg>`) },
  ]);
  const queue = page.getByRole("region", { name: t("media.queue.title") });
  await expect(queue.getByText(t("media.queue.done"))).toHaveCount(2);
  await expect(queue.getByRole("alert")).toHaveCount(2);
  await queue.getByRole("button", { name: t("media.queue.close") }).click();
  const findFileUrl = async (name: RegExp) => {
    await page.getByRole("option", { name }).click();
    const address = await page.getByText(/\/media\/f\//).textContent();
    await page.keyboard.press("Escape");
    await expect(page.getByText(/\/media\/f\//)).toHaveCount(0);
    return address!.replace(/^https?:\/\/[^/]+/, origin);
  };
  const [documentUrl, photoUrl] = [await findFileUrl(/^page\.pdf/), await findFileUrl(/^behind\.jpg/)];
  const response = await page.request.get(documentUrl, { headers: { accept: "text/html" } });
  expect(response.headers()).toMatchObject({
    "content-type": "application/pdf",
    "content-disposition": 'attachment; filename="page.pdf"',
    "x-content-type-options": "nosniff",
  });
  const newTab = await page.context().newPage();
  const [download] = await Promise.all([
    newTab.waitForEvent("download"),
    newTab.goto(documentUrl).catch(() => undefined),
  ]);
  expect(download.suggestedFilename()).toBe("page.pdf");
  await newTab.goto(photoUrl);
  expect(await newTab.evaluate(() => [document.contentType, document.scripts.length])).toEqual([
    "image/jpeg",
    0,
  ]);
  expect(await newTab.title()).not.toBe("ran");
  await newTab.close();
});
