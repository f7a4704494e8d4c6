import { expect, expectPage, LOOKS, open, test } from "./fixtures";

for (const look of [LOOKS[0], LOOKS[3]]) {
  test.describe(`${look.locale} ${look.theme}`, () => {
    const viewport = look.locale === "ar" ? { width: 390, height: 844 } : { width: 1280, height: 900 };
    test.use({ look, viewport });

    test("a view of a list is saved, opened, renamed, deleted and restored by keyboard", async ({
      page,
      signIn,
      t,
    }) => {
      const views = page.getByRole("button", { name: t("savedViews.open"), exact: true });
      const drawer = page.getByRole("dialog", { name: t("savedViews.title") });
      const press = async (name: string) => {
        await drawer.getByRole("button", { name, exact: true }).focus();
        await page.keyboard.press("Enter");
      };
      await signIn(page, "admin@example.com");
      // `gone` is an unknown filter.
      await open(page, "/admin/users?role=reseller&gone=1");
      await expect(page.getByRole("table")).toBeVisible();
      await views.focus();
      await page.keyboard.press("Enter");
      await expect(drawer.getByText(t("savedViews.none"))).toBeVisible();
      await drawer.getByLabel(t("savedViews.name"), { exact: true }).focus();
      await page.keyboard.type("Bayiler");
      await page.keyboard.press("Enter");
      const link = drawer.getByRole("link", { name: "Bayiler" });
      await expect(link).toBeVisible();
      for (let press = 0; press < 12; press++) {
        await page.keyboard.press("Tab");
        await expect(drawer.locator(":focus")).toHaveCount(1);
      }
      await page.keyboard.press("Escape");
      await expect(drawer).toHaveCount(0);
      await expect(views).toBeFocused();

      await open(page, "/admin/users");
      await views.focus();
      await page.keyboard.press("Enter");
      await link.focus();
      await page.keyboard.press("Enter");
      await expectPage(page, /role=reseller/);
      await expect(drawer).toHaveCount(0);
      await expect(page.getByRole("combobox", { name: t("admin.column.role") })).toHaveValue("reseller");

      await views.focus();
      await page.keyboard.press("Enter");
      await press(t("savedViews.rename", { name: "Bayiler" }));
      await expect(drawer.getByLabel(t("savedViews.name"), { exact: true }).first()).toBeFocused();
      await page.keyboard.press("End");
      await page.keyboard.type(" 2");
      await page.keyboard.press("Enter");
      await expect(drawer.getByRole("link", { name: "Bayiler 2" })).toBeVisible();
      const renamed = drawer.getByRole("link", { name: "Bayiler 2" });
      const undo = page.getByRole("button", { name: t("common.undo") });
      await press(t("savedViews.remove", { name: "Bayiler 2" }));
      await expect(drawer.getByText(t("savedViews.none"))).toBeVisible();
      await expect(undo).toBeVisible();
      await expect(page.getByRole("region", { name: t("common.notices"), exact: true })).toBeVisible();
      for (const key of ["F6", "Tab", "Tab"]) await page.keyboard.press(key);
      await expect(undo).toBeFocused();
      await page.keyboard.press("Enter");
      await expect(renamed).toHaveAttribute("href", /\?gone=1&role=reseller$/);

      await press(t("savedViews.remove", { name: "Bayiler 2" }));
      await expect(drawer.getByText(t("savedViews.none"))).toBeVisible();
      await undo.click();
      await expect(renamed).toBeVisible();

      await press(t("savedViews.remove", { name: "Bayiler 2" }));
      await expect(undo).toBeVisible();
      await page.keyboard.press("Escape");
      await expect(drawer).toHaveCount(0);
      await undo.press("Enter");
      await views.press("Enter");
      await expect(renamed).toBeVisible();

      // The other run uses the same administrator.
      await press(t("savedViews.remove", { name: "Bayiler 2" }));
      await expect(drawer.getByText(t("savedViews.none"))).toBeVisible();
    });
  });
}

test("an administrator tests an external service on the health page", { tag: "@main" }, async ({
  page,
  signIn,
  t,
}) => {
  await signIn(page, "admin@example.com");
  await open(page, "/admin/health");
  const name = "Paraşüt";
  await page.getByRole("button", { name: t("health.parties.testOf", { name }), exact: true }).click();
  await expect(page.getByText(t("responses.party_works", { name }))).toBeVisible();
});
