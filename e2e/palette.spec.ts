import type { Locator } from "@playwright/test";
import { expect, expectAccessible, expectNoSidewaysScroll, LOOKS, open, test, waitForPage } from "./fixtures";

for (const look of [LOOKS[0], LOOKS[3]]) {
  test.describe(`${look.locale} ${look.theme}`, () => {
    const viewport = look.locale === "ar" ? { width: 390, height: 844 } : { width: 1280, height: 900 };
    test.use({ look, viewport });

    test("the palette finds records and settings by keyboard", {
      tag: look.locale === "tr" ? "@main" : [],
    }, async ({ page, signIn, t }) => {
      await signIn(page, "admin@example.com");
      await open(page, "/team");
      const palette = page.getByRole("dialog", { name: t("palette.title") });
      const paletteField = palette.getByRole("combobox", { name: t("palette.placeholder") });
      await page.getByRole("button", { name: t("palette.button"), exact: true }).click();
      await expect(paletteField).toBeFocused();
      await expectAccessible(page);
      await expectNoSidewaysScroll(page);

      await paletteField.fill("KAHVE kaya");
      await expect(palette.getByRole("option", { name: /^Kaya Kahve/ })).toBeVisible();
      await paletteField.fill("no-such-record");
      await expect(palette.getByRole("option")).toHaveCount(0);
      await expect(palette.getByText(t("palette.empty"))).toBeVisible();
      await page.keyboard.press("Escape");
      await expect(palette).toHaveCount(0);

      await page.keyboard.press("Control+k");
      await paletteField.fill("#kayakahve.example");
      const siteOption = palette.getByRole("option", { name: /^Kaya Kahve/ });
      await expect(palette.getByRole("option").first()).toBeVisible();
      while ((await siteOption.getAttribute("data-highlighted")) === null)
        await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await waitForPage(page, /\/sites\/\d+$/);
      await expect(page.getByRole("heading", { level: 1, name: "Kaya Kahve" })).toBeFocused();

      await page.keyboard.press("Control+k");
      await paletteField.fill(t("palette.places.passkeys"));
      await expect(palette.getByRole("option").first()).toContainText(t("palette.places.passkeys"));
      await page.keyboard.press("Enter");
      await waitForPage(page, /\/settings\/security#passkeys$/);
    });
  });
}

test("single keys navigate, are ignored while typing, and can be disabled", async ({ page, signIn, t }) => {
  await signIn(page, "customer@example.com");
  await open(page, "/sites");
  await page.keyboard.press("/");
  const search = page.getByRole("searchbox");
  await expect(search).toBeFocused();
  await page.keyboard.type("gt?");
  await expect(search).toHaveValue("gt?");
  await search.fill("");
  await expect(page).toHaveURL(/\/sites$/);
  await search.blur();

  await page.keyboard.press("?");
  const shortcutSheet = page.getByRole("dialog", { name: t("palette.shortcuts.title") });
  await expect(shortcutSheet).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("g");
  await page.keyboard.press("t");
  await page.keyboard.press("Escape");
  await expect(shortcutSheet).toHaveCount(0);
  await expect(page).toHaveURL(/\/sites$/);

  await page.keyboard.press("g");
  await page.keyboard.press(",");
  await waitForPage(page, /\/settings\/profile$/);
  const keysSwitch = page.getByRole("switch", { name: t("settings.look.keys") });
  await keysSwitch.uncheck();
  await keysSwitch.blur();
  await page.keyboard.press("?");
  await page.keyboard.press("g");
  await page.keyboard.press("t");
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("dialog", { name: t("palette.title") })).toBeVisible();
  await expect(shortcutSheet).toHaveCount(0);
  await expect(page).toHaveURL(/\/settings\/profile$/);
});

test("single keys move through a list, select a row, open its menu and create a record", async ({
  page,
  signIn,
  t,
}) => {
  await signIn(page, "admin@example.com");
  await open(page, "/admin/users");
  const row = (index: number) => page.locator("tbody").getByRole("row").nth(index);
  await page.keyboard.press("j");
  await expect(row(0).getByRole("link").first()).toBeFocused();
  await page.keyboard.press("j");
  await expect(row(1).getByRole("link").first()).toBeFocused();
  await page.keyboard.press("x");
  await expect(row(1).getByRole("checkbox")).toBeChecked();
  await expect(row(0).getByRole("checkbox")).not.toBeChecked();
  await page.keyboard.press("k");
  await expect(row(0).getByRole("link").first()).toBeFocused();

  await open(page, "/sites");
  await page.keyboard.press("j");
  await expect(row(0).getByRole("link").first()).toBeFocused();
  await page.keyboard.press(".");
  await expect(page.getByRole("menu")).toBeVisible();
  await page.keyboard.press("c");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("menu")).toHaveCount(0);
  await expect(page).toHaveURL(/\/sites$/);
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog").getByText(t("palette.shortcuts.rows"))).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.keyboard.press("c");
  await waitForPage(page, /\/sites\/new$/);
});

test("single keys open, select and delete rows, and Ctrl+Z undoes a deletion", async ({
  page,
  signIn,
  t,
}) => {
  await signIn(page, "customer@example.com");
  await open(page, "/snippets");
  const rows = page.locator("tbody").getByRole("row");
  const checkbox = (index: number) => rows.nth(index).getByRole("checkbox");
  const rowCount = await rows.count();
  expect(rowCount).toBeGreaterThan(3);
  await page.getByRole("searchbox").focus();
  await page.keyboard.type("e");
  await page.keyboard.press("Delete");
  await page.keyboard.press("Backspace");
  await page.getByRole("searchbox").blur();
  await expect(rows).toHaveCount(rowCount);

  for (const key of ["j", "x", "j", "j", "Shift+X"]) await page.keyboard.press(key);
  for (const index of [0, 1, 2]) await expect(checkbox(index)).toBeChecked();
  await expect(checkbox(3)).not.toBeChecked();
  await page.getByRole("button", { name: t("snippets.chooseNone") }).click();
  await rows.first().getByRole("button").first().focus();
  await page.keyboard.press("Shift+X");
  await expect(checkbox(0)).toBeChecked();
  await expect(checkbox(1)).not.toBeChecked();
  await page.keyboard.press("Shift+X");
  await expect(checkbox(0)).not.toBeChecked();
  await checkbox(3).click();
  await checkbox(1).click({ modifiers: ["Shift"] });
  for (const index of [1, 2, 3]) await expect(checkbox(index)).toBeChecked();
  await expect(checkbox(0)).not.toBeChecked();

  await page.keyboard.press("Delete");
  const notice = page.getByText(t("snippets.deletedMany", { count: 3 }));
  await expect(notice).toBeVisible();
  await expect(rows).toHaveCount(rowCount - 3);
  await page.keyboard.press("Control+z");
  await expect(rows).toHaveCount(rowCount);
  await expect(notice).toHaveCount(0);
  await page.getByRole("button", { name: t("snippets.chooseNone") }).click();
  const snippetTitle = (await rows.first().getByRole("button").first().textContent())!;
  await page.keyboard.press("j");
  await page.keyboard.press("Delete");
  await expect(page.getByText(t("snippets.deleted", { title: snippetTitle }))).toBeVisible();
  await expect(rows).toHaveCount(rowCount - 1);
  await page.keyboard.press("Control+z");
  await expect(rows).toHaveCount(rowCount);

  await rows.first().getByRole("button", { name: snippetTitle, exact: true }).focus();
  await page.keyboard.press("e");
  const form = page.getByRole("dialog", { name: t("snippets.edit") });
  await expect(form.getByRole("textbox").first()).toHaveValue(snippetTitle);
  await page.keyboard.press("Escape");
  await expect(form).toHaveCount(0);

  const shortcutSheet = page.getByRole("dialog", { name: t("palette.shortcuts.title") });
  const shortcutText = (key: "rows" | "range" | "edit" | "menu" | "remove" | "undo") =>
    shortcutSheet.getByText(t(`palette.shortcuts.${key}`), { exact: true });
  await page.keyboard.press("?");
  for (const key of ["range", "edit", "remove", "undo"] as const)
    await expect(shortcutText(key)).toBeVisible();
  await expect(shortcutText("menu")).toHaveCount(0);
  await page.keyboard.press("Escape");
  await expect(shortcutSheet).toHaveCount(0);
  await open(page, "/sites");
  await page.keyboard.press("?");
  for (const key of ["rows", "edit", "menu"] as const) await expect(shortcutText(key)).toBeVisible();
  for (const key of ["range", "remove", "undo"] as const) await expect(shortcutText(key)).toHaveCount(0);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: t("shell.userMenu") }).click();
  await page.getByRole("menuitem", { name: t("palette.actions.shortcuts") }).click();
  await expect(shortcutText("menu")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(shortcutSheet).toHaveCount(0);
  await page.keyboard.press("j");
  await page.keyboard.press("e");
  await waitForPage(page, /\/sites\/\d+$/);
});

test("Delete opens the confirmation of a deletion, and does nothing while single keys are disabled", async ({
  page,
  signIn,
  t,
}) => {
  await signIn(page, "customer@example.com");
  await open(page, "/media");
  await page.getByRole("button", { name: t("media.view.list") }).click();
  const rows = page.locator("tbody").getByRole("row");
  const rowCount = await rows.count();
  await page.keyboard.press("j");
  await page.keyboard.press("Delete");
  const confirmDialog = page.getByRole("alertdialog");
  await expect(confirmDialog).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(confirmDialog).toHaveCount(0);
  await expect(rows).toHaveCount(rowCount);

  await open(page, "/settings/profile");
  await page.getByRole("switch", { name: t("settings.look.keys") }).uncheck();
  await open(page, "/media");
  await rows.first().getByRole("button").first().focus();
  await page.keyboard.press("e");
  await page.keyboard.press("Delete");
  await page.keyboard.press("x");
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("dialog")).toHaveCount(1);
  await expect(page.getByRole("dialog", { name: t("palette.title") })).toBeVisible();
  await expect(confirmDialog).toHaveCount(0);
});

test("the palette opens the form for a new record on the records' page, and lists recent pages", async ({
  page,
  signIn,
  t,
}) => {
  await signIn(page, "customer@example.com");
  await open(page, "/sites");
  const palette = page.getByRole("dialog", { name: t("palette.title") });
  const paletteField = palette.getByRole("combobox", { name: t("palette.placeholder") });
  const createSnippet = async () => {
    await page.keyboard.press("Control+k");
    await paletteField.fill(t("palette.create.snippet"));
    await expect(palette.getByRole("option").first()).toContainText(t("palette.create.snippet"));
    await page.keyboard.press("Enter");
    const form = page.getByRole("dialog", { name: t("snippets.create") });
    await expect(form.getByRole("textbox").first()).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(form).toHaveCount(0);
  };
  await createSnippet();
  await expect(page).toHaveURL(/\/snippets$/);
  await createSnippet();

  await page.keyboard.press("Control+k");
  const recentPages = palette.getByRole("group", { name: t("palette.groups.recent") });
  await expect(recentPages.getByRole("option")).toHaveText([t("sites.title")]);
  await page.keyboard.press("Enter");
  await waitForPage(page, /\/sites$/);
  await page.keyboard.press("Control+k");
  await expect(recentPages.getByRole("option")).toHaveText([t("snippets.title")]);
});

test("the palette finds guides and operations, and loads their names once, at the first search", async ({
  page,
  signIn,
  t,
}) => {
  const nameRequests: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/docs/names")) nameRequests.push(request.url());
  });
  await signIn(page, "customer@example.com");
  await open(page, "/sites");
  const palette = page.getByRole("dialog", { name: t("palette.title") });
  const paletteField = palette.getByRole("combobox", { name: t("palette.placeholder") });
  const docsOptions = palette.getByRole("group", { name: t("navigation.docs") }).getByRole("option");
  await page.keyboard.press("Control+k");
  await expect(palette.getByRole("option").first()).toBeVisible();
  await expect(docsOptions).toHaveCount(0);
  expect(nameRequests).toEqual([]);

  await paletteField.fill(t("docsGuides.siteKeys.title"));
  await expect(docsOptions.first()).toContainText(t("docsGuides.siteKeys.title"));
  await docsOptions.first().click();
  await waitForPage(page, /\/developers\/docs\/guides\/site-keys$/);

  await page.keyboard.press("Control+k");
  await paletteField.fill("POST /api/user/export");
  await expect(docsOptions).toHaveText([/^Request a copy of all personal data/]);
  await page.keyboard.press("Enter");
  await waitForPage(page, /\/developers\/docs\/[a-z-]+#requestExport$/);

  await page.keyboard.press("Control+k");
  await paletteField.fill("/api/sites");
  await expect(docsOptions).toHaveCount(6);
  await expect(palette.getByRole("group")).toHaveCount(1);
  await docsOptions.last().click();
  await waitForPage(page, /\/developers\/docs\?q=api%2Fsites$/);
  expect(nameRequests).toHaveLength(1);
});

for (const look of [LOOKS[0], LOOKS[3]]) {
  test.describe(`${look.locale} ${look.theme}`, () => {
    const viewport = look.locale === "ar" ? { width: 390, height: 844 } : { width: 1280, height: 900 };
    test.use({ look, viewport });

    test("Space opens a row in a drawer, the URL contains the row, and j and k change it", async ({
      page,
      signIn,
      t,
    }) => {
      await signIn(page, "customer@example.com");
      await open(page, "/sites");
      const siteLinks = page.locator("tbody").getByRole("row").locator("[data-title] a");
      const [firstSiteName, secondSiteName] = await siteLinks.allInnerTexts();
      const peekDrawer = (name: string) => page.getByRole("dialog", { name, exact: true });
      await page.keyboard.press("j");
      await page.keyboard.press("Space");
      await expect(peekDrawer(firstSiteName!)).toBeVisible();
      await expect(page).toHaveURL(/\/sites\?peek=\d+$/);
      await expect(
        peekDrawer(firstSiteName!).getByRole("heading", { name: t("connections.ofSite.title") }),
      ).toBeVisible();
      await expect(peekDrawer(firstSiteName!).locator("ul, p").last()).toBeVisible();
      await expectAccessible(page);
      await expectNoSidewaysScroll(page);
      await page.keyboard.press("k");
      await expect(peekDrawer(firstSiteName!)).toBeVisible();
      await page.keyboard.press("j");
      await expect(peekDrawer(secondSiteName!)).toBeVisible();
      await page.keyboard.press("Space");
      await expect(page.getByRole("dialog")).toHaveCount(0);
      await expect(siteLinks.nth(1)).toBeFocused();
      await expect(page).toHaveURL(/\/sites$/);

      await page.getByRole("button", { name: t("ui.peek.show", { name: firstSiteName! }) }).click();
      await page.reload();
      await peekDrawer(firstSiteName!)
        .getByRole("button", { name: t("ui.peek.next") })
        .click();
      await expect(peekDrawer(secondSiteName!)).toBeVisible();
      await page.goBack();
      await expect(page.getByRole("dialog")).toHaveCount(0);
      await siteLinks.first().focus();
      await page.keyboard.press("Space");
      await expect(peekDrawer(firstSiteName!)).toBeVisible();
      await page.keyboard.press("Enter");
      await waitForPage(page, /\/sites\/\d+$/);
      await expect(page.getByRole("heading", { level: 1, name: firstSiteName!, exact: true })).toBeVisible();
    });
  });
}

test("the palette offers the actions of the page and of the selected rows", async ({ page, signIn, t }) => {
  await signIn(page, "admin@example.com");
  await open(page, "/admin/users");
  for (const key of ["j", "j", "x", "Control+k"]) await page.keyboard.press(key);
  const palette = page.getByRole("dialog", { name: t("palette.title") });
  const option = (name: string) => palette.getByRole("option", { name, exact: true });
  await expect(palette.getByText(t("palette.groups.page"))).toBeVisible();
  await palette.getByRole("combobox").fill(`>${t("admin.bulk.sign_out")}`);
  await expect(option(t("admin.bulk.sign_out"))).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(
    page.getByRole("dialog", { name: t("admin.bulk.title", { action: "sign_out" }) }),
  ).toBeVisible();
  await page.keyboard.press("Escape");

  await page.keyboard.press("Control+k");
  await palette.getByRole("combobox").fill(t("admin.explain.link"));
  await option(t("admin.explain.link")).click();
  await waitForPage(page, /\/admin\/gates$/);
});

test("keys pressed in quick succession go to the dialog or page that is open after the previous key", async ({
  page,
  signIn,
  t,
}) => {
  await signIn(page, "customer@example.com");
  await open(page, "/sites");
  const siteLinks = page.locator("tbody").getByRole("row").locator("[data-title] a");
  const [, secondSiteName] = await siteLinks.allInnerTexts();
  const pressKeys = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  let release = () => {};
  const releaseSignal = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/_next\/static\/chunks/, async (route) => {
    await releaseSignal;
    await route.continue();
  });
  await page.keyboard.press("Control+k");
  await page.keyboard.type("rec");
  await expect(page.getByRole("dialog").getByRole("textbox")).toHaveValue("rec");
  release();
  const paletteField = page.getByRole("dialog").getByRole("combobox", { name: t("palette.placeholder") });
  await expect(paletteField).toHaveValue("rec");
  await page.keyboard.type("overy");
  await expect(paletteField).toHaveValue("recovery");
  await pressKeys("Escape");
  // Delays the page, so that the drawer changes the URL first.
  await page.route(/\/sites\/\d+\?_rsc=/, async (route) => {
    await page.waitForTimeout(500);
    await route.continue();
  });
  await pressKeys("j", "Space", "j", "Enter");
  await waitForPage(page, /\/sites\/\d+$/);
  await expect(page.getByRole("heading", { level: 1, name: secondSiteName!, exact: true })).toBeVisible();

  await open(page, "/sites");
  await pressKeys("j", "Space");
  await expect(page.getByRole("dialog")).toBeVisible();
  await pressKeys("Space", "j", "Space");
  await expect(page.getByRole("dialog", { name: secondSiteName!, exact: true })).toBeVisible();
  await pressKeys("Enter");
  await waitForPage(page, /\/sites\/\d+$/);
  await expect(page.getByRole("heading", { level: 1, name: secondSiteName!, exact: true })).toBeVisible();

  await open(page, "/snippets");
  const rowOpener = (index: number) =>
    page.locator("tbody").getByRole("row").nth(index).getByRole("button").first();
  await pressKeys("j", "j", "e");
  await expect(page.getByRole("dialog", { name: t("snippets.edit") })).toBeVisible();
  await pressKeys("Escape", "j");
  await expect(rowOpener(2)).toBeFocused();
});

test("an opened dialog or menu has the focus as soon as it is visible, also if its form loads later", async ({
  page,
  signIn,
  t,
}) => {
  /** Does not retry: the focus must be set already. */
  const hasFocus = (locator: Locator) =>
    locator.evaluate((element) => element.contains(document.activeElement));
  await signIn(page, "customer@example.com");
  await open(page, "/sites");
  await page.keyboard.press("Control+k");
  const paletteField = page.getByRole("dialog").getByRole("combobox", { name: t("palette.placeholder") });
  await expect(paletteField).toBeVisible();
  expect(await hasFocus(paletteField)).toBe(true);
  await page.keyboard.press("Escape");
  await page.keyboard.press("j");
  await page.keyboard.press(".");
  const menu = page.getByRole("menu");
  await expect(menu).toBeVisible();
  expect(await hasFocus(menu)).toBe(true);
  await page.keyboard.press("Escape");
  await page.keyboard.press("?");
  const shortcutSheet = page.getByRole("dialog", { name: t("palette.shortcuts.title") });
  await expect(shortcutSheet).toBeVisible();

  // The tiles of files are a listbox that does not block keys.
  await open(page, "/media");
  await expect(page.getByRole("listbox", { name: t("media.title") })).toBeVisible();
  await page.keyboard.press("?");
  await expect(shortcutSheet).toBeVisible();

  await open(page, "/developers/webhooks");
  await page.keyboard.press("c");
  await expect(page.getByRole("dialog").getByLabel(t("webhooks.field.url"), { exact: true })).toBeFocused();
});
