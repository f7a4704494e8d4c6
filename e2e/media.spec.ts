import { join } from "node:path";
import { expect, expectAccessible, expectPage, LOOKS, open, test } from "./fixtures";

const sample = (name: string) => join(import.meta.dirname, "../server/testing/media", name);

for (const look of [LOOKS[0], LOOKS[3]]) {
  test.describe(`${look.locale} ${look.theme}`, () => {
    const viewport = look.locale === "ar" ? { width: 390, height: 844 } : { width: 1280, height: 900 };
    test.use({ look, viewport });

    test("files are uploaded, refused in words, given to a snippet, deleted and taken back", async ({
      page,
      member,
      signIn,
      t,
    }) => {
      test.slow();
      await signIn(page, member.email, member.password);
      await open(page, "/media");
      await expectPage(page, /\/media$/);
      await expect(page.getByText(t("media.empty"))).toBeVisible();
      await expectAccessible(page);

      const [chooser] = await Promise.all([
        page.waitForEvent("filechooser"),
        page.getByRole("button", { name: t("media.upload"), exact: true }).click(),
      ]);
      await chooser.setFiles([
        sample("photo.jpg"),
        sample("film.mp4"),
        sample("letter.pdf"),
        sample("refused.gif"),
      ]);
      const queue = page.getByRole("region", { name: t("media.queue.title") });
      await expect(queue.getByText(t("media.queue.done"))).toHaveCount(3);
      await expect(queue.getByRole("alert"), "what it is, and what it may be").toContainText("GIF");
      await expectAccessible(page);
      await queue.getByRole("button", { name: t("media.queue.close") }).click();
      const table = page.getByRole("table", { name: t("media.title") });
      for (const name of ["photo.jpg", "film.mp4", "letter.pdf"])
        await expect(table.getByText(name)).toBeVisible();

      await page.evaluate(() => {
        const files = new DataTransfer();
        files.items.add(new File(["%PDF-1.4\n%%EOF"], "dropped.pdf"));
        document.body.dispatchEvent(
          new DragEvent("drop", { dataTransfer: files, bubbles: true, cancelable: true }),
        );
      });
      await expect(table.getByText("dropped.pdf")).toBeVisible();

      await open(page, "/snippets");
      await page.getByRole("button", { name: t("snippets.create"), exact: true }).click();
      const drawer = page.getByRole("dialog", { name: t("snippets.create") });
      await drawer.getByLabel(t("snippets.name"), { exact: true }).fill("Menü");
      await drawer.getByLabel(t("snippets.shortcut")).fill("menu");
      await drawer.getByLabel(t("snippets.body"), { exact: true }).fill("Merhaba");
      await drawer.getByRole("button", { name: t("snippets.chooseFile") }).click();
      const picker = page.getByRole("dialog", { name: t("media.picker.title") });
      await expect(picker.getByText("photo.jpg")).toBeVisible();
      await expectAccessible(page);
      await picker.getByRole("button", { name: "photo.jpg" }).click();
      await expect(drawer.getByText("photo.jpg")).toBeVisible();
      await drawer.getByRole("button", { name: t("snippets.save") }).click();
      await expect(drawer).toHaveCount(0);
      await expect(page.getByRole("table").getByText("photo.jpg")).toBeVisible();
      await expectAccessible(page);

      await open(page, "/media?used=true");
      await page.getByRole("button", { name: `${t("media.open")}: photo.jpg` }).click();
      const details = page.getByRole("dialog", { name: "photo.jpg" });
      await expect(details.getByRole("link", { name: "Menü" })).toBeVisible();
      await expectAccessible(page);
      await page.keyboard.press("Escape");
      await open(page, "/media");
      await page.getByRole("button", { name: `${t("media.delete.button")}: photo.jpg` }).click();
      const asking = page.getByRole("alertdialog");
      await expect(asking).toContainText(t("media.delete.used", { count: 1 }));
      await asking.getByRole("button", { name: t("media.delete.button") }).click();
      await expect(table.getByText("photo.jpg")).toHaveCount(0);
      await page.getByRole("button", { name: t("common.undo") }).click();
      await expect(table.getByText("photo.jpg")).toBeVisible();
    });
  });
}

test("an upload goes by keyboard alone", async ({ page, member, signIn, t }) => {
  await signIn(page, member.email, member.password);
  await open(page, "/media");
  await expectPage(page, /\/media$/);
  const choose = page.getByRole("button", { name: t("media.upload"), exact: true });
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), choose.press("Enter")]);
  await chooser.setFiles(sample("drawing.png"));
  await expect(page.getByRole("table", { name: t("media.title") }).getByText("drawing.png")).toBeVisible();
});

test("a picture of the library becomes that of the account", async ({ page, member, signIn, t }) => {
  await signIn(page, member.email, member.password);
  await open(page, "/settings/profile");
  await page.getByRole("button", { name: t("settings.avatar.library") }).click();
  const picker = page.getByRole("dialog", { name: t("media.picker.title") });
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    picker.getByRole("button", { name: t("media.picker.upload") }).click(),
  ]);
  await chooser.setFiles(sample("photo.jpg"));
  await expect(picker, "what is uploaded there is chosen").toHaveCount(0);
  await page.getByRole("button", { name: t("settings.avatar.save") }).click();
  await expect(page.getByText(t("settings.avatar.saved"))).toBeVisible();
});

test("nothing stored runs at its address", async ({ page, member, signIn, origin, t }) => {
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
    { name: "drawn.svg", mimeType: "image/svg+xml", buffer: Buffer.from(`<svg xmlns="x">${script}</svg>`) },
  ]);
  const queue = page.getByRole("region", { name: t("media.queue.title") });
  await expect(queue.getByText(t("media.queue.done"))).toHaveCount(1);
  await expect(queue.getByRole("alert")).toHaveCount(2);
  await queue.getByRole("button", { name: t("media.queue.close") }).click();
  await page.getByRole("button", { name: `${t("media.open")}: page.pdf` }).click();
  const address = await page.getByText(/\/media\/f\//).textContent();
  const response = await page.request.get(address!.replace(/^https?:\/\/[^/]+/, origin), {
    headers: { accept: "text/html" },
  });
  expect(response.headers()).toMatchObject({
    "content-type": "application/pdf",
    "content-disposition": 'attachment; filename="page.pdf"',
    "x-content-type-options": "nosniff",
  });
});
