import type { Page } from "@playwright/test";
import {
  ARABIC_PHONE,
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  expectPage,
  open,
  test,
} from "./fixtures";

const bodyRows = (page: Page) => page.locator("tbody").getByRole("row");

for (const options of [{}, ARABIC_PHONE]) {
  test.describe(options === ARABIC_PHONE ? "in Arabic on a phone" : "in Turkish on a wide screen", () => {
    test.use(options);

    test("rare filters are added from a menu by keyboard and removed by their chip", async ({
      page,
      signIn,
      t,
    }) => {
      await signIn(page, "admin@example.com");
      await open(page, "/admin/users");
      const search = page.getByRole("search");
      await expect(search.getByRole("combobox")).toHaveCount(2);
      const addButton = search.getByRole("button", { name: t("ui.filters.add"), exact: true });
      await addButton.press("Enter");
      await page.getByRole("menuitem", { name: t("admin.filter.deletedLabel"), exact: true }).press("Enter");
      const option = page.getByRole("menuitemradio", { name: t("admin.filter.deleted"), exact: true });
      await expect(option).toBeVisible();
      await expectNoSidewaysScroll(page);
      await option.press("Enter");
      await expect(page).toHaveURL(/[?&]anonymised=true/);
      await expect(addButton).toBeFocused();
      const chipText = t("ui.filters.value", {
        filter: t("admin.filter.deletedLabel"),
        value: t("admin.filter.deleted"),
      });
      await expect(page.getByText(chipText, { exact: true })).toBeVisible();
      await expectAccessible(page);
      await page.getByRole("button", { name: t("ui.filters.remove", { name: chipText }) }).press("Enter");
      await expect(page).toHaveURL(/\/admin\/users$/);

      await search.getByRole("combobox").first().selectOption("reseller");
      await expect(page).toHaveURL(/[?&]role=reseller/);
      await page.getByRole("button", { name: t("ui.filters.clear"), exact: true }).click();
      await expect(page).toHaveURL(/\/admin\/users$/);
    });
  });
}

test("German labels of filters are not cut", async ({ page, signIn, context, origin }) => {
  await context.addCookies([{ name: "locale", value: "de", url: origin }]);
  await signIn(page, "admin@example.com");
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await open(page, "/admin/users");
    for (const select of await page.getByRole("search").getByRole("combobox").all()) {
      const missingWidth = await select.evaluate((element) => {
        const { width: actualWidth } = element.getBoundingClientRect();
        element.style.width = "max-content";
        const { width: fullWidth } = element.getBoundingClientRect();
        element.style.width = "";
        return fullWidth - actualWidth;
      });
      expect(missingWidth).toBeLessThan(1);
    }
    await expectNoSidewaysScroll(page);
  }
});

test("a click anywhere on a row opens its record, with Ctrl in a new tab", async ({
  page,
  context,
  signIn,
  t,
}) => {
  await signIn(page, "admin@example.com");
  await open(page, "/admin/users");
  const row = bodyRows(page).first();
  const href = (await row.getByRole("link").first().getAttribute("href"))!;
  const cell = row.getByRole("cell").nth(2);
  const newPage = context.waitForEvent("page");
  await cell.click({ modifiers: ["Control"] });
  const newTab = await newPage;
  await expect(newTab).toHaveURL(new RegExp(`${href}$`));
  await newTab.close();
  await expect(page).toHaveURL(/\/admin\/users$/);

  // Selecting text by mouse is no click.
  const text = row.getByText(/@/).first();
  await text.selectText();
  await row.dispatchEvent("click");
  await expect(page).toHaveURL(/\/admin\/users$/);
  await page.evaluate(() => window.getSelection()?.removeAllRanges());

  await row.getByRole("checkbox").check();
  await expect(page).toHaveURL(/\/admin\/users$/);
  await cell.click();
  await expectPage(page, new RegExp(`${href}$`));

  await open(page, "/admin/accounting");
  await bodyRows(page).first().getByRole("cell").nth(2).click();
  await expectPage(page, /\/admin\/accounting\/\d+$/);
  await expect(page.getByRole("heading", { name: t("accounting.timeline.title") })).toBeVisible();
});

test("from 1024 px a preview is beside the list, which stays usable", async ({ page, signIn, t }) => {
  await page.setViewportSize({ width: 1024, height: 800 });
  await signIn(page, "customer@example.com");
  await open(page, "/sites");
  const links = bodyRows(page).locator("[data-title] a");
  const [firstName, secondName] = (await links.allInnerTexts()) as [string, string];
  const preview = (name: string) => page.getByRole("dialog", { name, exact: true });
  await page.getByRole("button", { name: t("ui.peek.show", { name: firstName }) }).click();
  await expect(preview(firstName)).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  const listBox = (await page.getByRole("table").boundingBox())!;
  const previewBox = (await preview(firstName).boundingBox())!;
  expect(listBox.x + listBox.width).toBeLessThanOrEqual(previewBox.x);

  await links.nth(1).click();
  await expect(preview(secondName)).toBeVisible();
  await expect(bodyRows(page).nth(1)).toHaveAttribute("aria-current", "true");
  await page.keyboard.press("ArrowUp");
  await expect(preview(firstName)).toBeVisible();
  await page.keyboard.press("ArrowDown");
  await expect(preview(secondName)).toBeVisible();
  await page.keyboard.press("ArrowUp");
  await page.getByRole("searchbox").fill(firstName);
  await expect(page).toHaveURL(/[?&]q=/);
  await expect(bodyRows(page).first()).toContainText(firstName);
  await expect(preview(firstName)).toBeVisible();
  await links.first().focus();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page).not.toHaveURL(/peek=/);
});

test("a preview keeps typed text until the user discards it", async ({ page, signIn, t }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await signIn(page, "admin@example.com");
  await open(page, "/admin/users?role=reseller");
  const [firstName, secondName] = (await bodyRows(page).locator("[data-title] a").allInnerTexts()) as [
    string,
    string,
  ];
  const preview = (name: string) => page.getByRole("dialog", { name, exact: true });
  await page.getByRole("button", { name: t("ui.peek.show", { name: firstName }) }).click();
  await preview(firstName)
    .getByRole("button", { name: t("admin.change.title") })
    .click();
  const reason = preview(firstName).getByRole("textbox", { name: t("admin.change.reason"), exact: true });
  await reason.fill("Yeni görev");

  const question = page.getByRole("alertdialog", { name: t("ui.form.leave.title") });
  const cancelButton = question.getByRole("button", { name: t("ui.form.leave.cancel") });
  await bodyRows(page).nth(1).getByRole("cell").nth(2).click();
  await cancelButton.click();
  await page.getByRole("link", { name: t("navigation.jobs"), exact: true }).click();
  await cancelButton.click();
  await expect(reason, "after another row and a link").toHaveValue("Yeni görev");
  const search = page.getByRole("searchbox");
  await search.fill(secondName);
  await expect(bodyRows(page)).toHaveCount(1);
  await expect(reason, "after a search without this row").toHaveValue("Yeni görev");

  await page.getByRole("button", { name: t("ui.peek.show", { name: secondName }) }).click();
  await question.getByRole("button", { name: t("ui.form.leave.confirm") }).click();
  await expect(preview(secondName)).toBeVisible();
  await expect(preview(firstName)).toHaveCount(0);
});

test("licences keep due date, amount and reference at 1024 px", async ({ page, server, signIn, t }) => {
  const [licence] = await server.sql<{ reference: string }>(
    "select reference from site_licences order by created_at desc limit 1",
  );
  await page.setViewportSize({ width: 1024, height: 800 });
  await signIn(page, "admin@example.com");
  await open(page, `/admin/licences?q=${licence!.reference}`);
  await expect(bodyRows(page)).toHaveCount(1);
  const payByHeader = page.getByRole("columnheader", { name: t("billingAdmin.licences.payBy"), exact: true });
  await expect(payByHeader).toBeInViewport();
  for (const text of [/3\.999/, licence!.reference])
    await expect(bodyRows(page).getByText(text)).toBeInViewport();
});

test("the menu of administrators begins with their work and shows that it scrolls", async ({
  page,
  signIn,
  t,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await signIn(page, "admin@example.com");
  await open(page, "/dashboard");
  const menu = page.getByRole("navigation", { name: t("shell.menu"), exact: true });
  const groups = menu.locator("p[id^=menu-]");
  await expect(groups.first()).toHaveText(t("navigation.groupAdmin"));
  await expect(groups.last()).toHaveText(t("navigation.groupAccount"));
  const scroller = menu.locator(".scroll-shadow");
  expect(await scroller.evaluate((element) => element.scrollHeight > element.clientHeight)).toBe(true);
  // The shade is drawn over the lowest pixels only while entries are hidden below.
  const getEdge = async () => {
    const box = (await scroller.boundingBox())!;
    const clip = { x: box.x + box.width / 2, y: box.y + box.height - 2, width: 1, height: 1 };
    return (await page.screenshot({ clip })).toString("base64");
  };
  const edgeAtTop = await getEdge();
  await scroller.evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await expect.poll(getEdge).not.toBe(edgeAtTop);
});

test("a printed list has its rows but no controls", async ({ page, signIn }) => {
  await signIn(page, "admin@example.com");
  await open(page, "/admin/users");
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("table")).toBeVisible();
  for (const control of ["banner", "search", "checkbox", "navigation"] as const)
    await expect(page.getByRole(control)).toHaveCount(0);
  await expect(page.getByRole("main").getByRole("button", { includeHidden: false })).toHaveCount(
    await page.locator("thead button:visible").count(),
  );
});

test("an empty list of snippets offers a sample", async ({ page, member, signIn, t }) => {
  await signIn(page, member.email, member.password);
  await open(page, "/snippets");
  await expect(page.getByRole("link", { name: t("ui.empty.guide"), exact: true })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: t("snippets.sample.add"), exact: true }).click();
  await expect(bodyRows(page).getByText(t("snippets.sample.title"), { exact: true })).toBeVisible();
});

test("a notice is closed for the session", async ({ page, member, server, signIn, t }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(page, member.email, member.password);
  await server.sql("update users set email_verified_at = null where email = $1", [member.email]);
  await open(page, "/snippets");
  const notices = page.getByRole("region", { name: t("shell.notices"), exact: true });
  await expect(notices).toBeVisible();
  expect((await notices.boundingBox())!.height).toBeLessThan(70);
  await notices.getByRole("button", { name: t("common.close"), exact: true }).click();
  await expect(notices).toHaveCount(0);
  await open(page, "/media");
  await expect(notices).toHaveCount(0);
});
