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
      const viewsButton = page.getByRole("button", { name: t("savedViews.open"), exact: true });
      const drawer = page.getByRole("dialog", { name: t("savedViews.title") });
      const pressButton = async (name: string) => {
        await drawer.getByRole("button", { name, exact: true }).focus();
        await page.keyboard.press("Enter");
      };
      await signIn(page, "admin@example.com");
      // `gone` is an unknown filter, which a saved view keeps.
      await open(page, "/admin/users?role=reseller&gone=1");
      await expect(page.getByRole("table")).toBeVisible();
      await viewsButton.focus();
      await page.keyboard.press("Enter");
      await expect(drawer.getByText(t("savedViews.none"))).toBeVisible();
      await drawer.getByLabel(t("savedViews.name"), { exact: true }).focus();
      await page.keyboard.type("Bayiler");
      await page.keyboard.press("Enter");
      const viewLink = drawer.getByRole("link", { name: "Bayiler" });
      await expect(viewLink).toBeVisible();
      for (let presses = 0; presses < 12; presses++) {
        await page.keyboard.press("Tab");
        await expect(drawer.locator(":focus")).toHaveCount(1);
      }
      await page.keyboard.press("Escape");
      await expect(drawer).toHaveCount(0);
      await expect(viewsButton).toBeFocused();

      await open(page, "/admin/users");
      await viewsButton.focus();
      await page.keyboard.press("Enter");
      await viewLink.focus();
      await page.keyboard.press("Enter");
      await expectPage(page, /role=reseller/);
      await expect(drawer).toHaveCount(0);
      await expect(page.getByRole("combobox", { name: t("admin.column.role") })).toHaveValue("reseller");

      await viewsButton.focus();
      await page.keyboard.press("Enter");
      await pressButton(t("savedViews.rename", { name: "Bayiler" }));
      await expect(drawer.getByLabel(t("savedViews.name"), { exact: true }).first()).toBeFocused();
      await page.keyboard.press("End");
      await page.keyboard.type(" 2");
      await page.keyboard.press("Enter");
      await expect(drawer.getByRole("link", { name: "Bayiler 2" })).toBeVisible();
      const renamedLink = drawer.getByRole("link", { name: "Bayiler 2" });
      const undoButton = page.getByRole("button", { name: t("common.undo") });
      await pressButton(t("savedViews.remove", { name: "Bayiler 2" }));
      await expect(drawer.getByText(t("savedViews.none"))).toBeVisible();
      await expect(undoButton).toBeVisible();
      await expect(page.getByRole("region", { name: t("common.notices"), exact: true })).toBeVisible();
      for (const key of ["F6", "Tab", "Tab"]) await page.keyboard.press(key);
      await expect(undoButton).toBeFocused();
      await page.keyboard.press("Enter");
      await expect(renamedLink).toHaveAttribute("href", /\?gone=1&role=reseller$/);

      await pressButton(t("savedViews.remove", { name: "Bayiler 2" }));
      await expect(drawer.getByText(t("savedViews.none"))).toBeVisible();
      await undoButton.click();
      await expect(renamedLink).toBeVisible();

      await pressButton(t("savedViews.remove", { name: "Bayiler 2" }));
      await expect(undoButton).toBeVisible();
      await page.keyboard.press("Escape");
      await expect(drawer).toHaveCount(0);
      await undoButton.press("Enter");
      await viewsButton.press("Enter");
      await expect(renamedLink).toBeVisible();

      // The other run uses the same administrator.
      await pressButton(t("savedViews.remove", { name: "Bayiler 2" }));
      await expect(drawer.getByText(t("savedViews.none"))).toBeVisible();
    });
  });
}
