import { ARABIC_PHONE, expect, expectAccessible, expectNoSidewaysScroll, open, test } from "./fixtures";

for (const options of [{}, ARABIC_PHONE]) {
  test.describe(options === ARABIC_PHONE ? "in Arabic on a phone" : "in Turkish on a wide screen", () => {
    test.use(options);

    test("a list is filtered by days of a calendar whose week starts on the chosen day", async ({
      page,
      signIn,
      t,
    }) => {
      await signIn(page, "admin@example.com");
      await open(page, "/settings/profile");
      const weekStartSelect = page.getByLabel(t("settings.dates.weekStart"), { exact: true });
      await weekStartSelect.click();
      await page.getByRole("option", { name: t("settings.dates.weeks.sunday"), exact: true }).click();
      await expect(weekStartSelect).toHaveText(t("settings.dates.weeks.sunday"));

      await open(page, "/admin/users");
      const label = t("admin.column.created");
      const filterButton = page
        .getByRole("search")
        .getByRole("button", { name: new RegExp(`^${label}(:|$)`) });
      const calendar = page.getByRole("dialog", { name: label, exact: true });
      await filterButton.focus();
      await page.keyboard.press("Enter");
      await expect(calendar.locator("th").first()).toHaveAttribute(
        "aria-label",
        t("settings.dates.weeks.sunday"),
      );
      await expectAccessible(page);
      await expectNoSidewaysScroll(page);

      await calendar.getByRole("button", { name: t("ui.period.lastMonth"), exact: true }).focus();
      await page.keyboard.press("Enter");
      await expect(calendar).toHaveCount(0);
      await expect(filterButton).toBeFocused();
      await expect(page).toHaveURL(/created_from=\d{4}-\d{2}-01&created_to=\d{4}-\d{2}-(28|29|30|31)/);

      await page.keyboard.press("Enter");
      const month = /created_from=(\d{4}-\d{2})/.exec(page.url())![1];
      const dayCell = (dayOfMonth: string) => calendar.locator(`[data-day="${month}-${dayOfMonth}"]`);
      await dayCell("20").getByRole("button").click();
      await expect(page).toHaveURL(new RegExp(`created_from=${month}-20&created_to=${month}-20`));
      await expect(dayCell("20").getByRole("button")).toBeFocused();
      await page.keyboard.press("ArrowUp");
      await expect(dayCell("13").getByRole("button")).toBeFocused();
      await page.keyboard.press("Enter");
      await expect(page).toHaveURL(new RegExp(`created_from=${month}-13&created_to=${month}-20`));
      await expect(calendar.locator("[data-selected]")).toHaveCount(8);
      await page.keyboard.press("Escape");
      await expectNoSidewaysScroll(page);
      await expect(filterButton).toHaveAccessibleName(/13.+20|20.+13/);

      await filterButton.click();
      await calendar.getByRole("button", { name: t("ui.period.any"), exact: true }).click();
      await expect(page).not.toHaveURL(/created_/);
      await expect(filterButton).toHaveAccessibleName(label);
    });
  });
}
