import { expect, expectAccessible, expectPage, LOOKS, open, test } from "./fixtures";

for (const look of [LOOKS[0], LOOKS[3]]) {
  test.describe(`${look.locale}, ${look.theme}`, () => {
    test.use({ look });

    test("an administrator finds an account by its address and makes it a reseller", async ({
      page,
      signIn,
      member,
      t,
    }) => {
      await signIn(page, "admin@example.com");
      await open(page, "/dashboard");
      await page
        .getByRole("link", { name: t("navigation.users"), exact: true })
        .first()
        .click();
      await expectPage(page, /\/admin\/users$/);
      await page.getByRole("searchbox", { name: t("admin.search") }).fill(member.email);
      await expect(page.getByRole("status").getByText(t("admin.found", { count: 1 }))).toBeVisible();

      await page.getByRole("button", { name: t("admin.open", { name: member.name }) }).click();
      const account = page.getByRole("dialog", { name: member.name });
      await expect(account.getByText(t("admin.gates.open"))).toHaveCount(4);
      await expectAccessible(page);
      await account.getByRole("button", { name: t("admin.change.title"), exact: true }).click();
      await account.getByRole("combobox", { name: t("admin.column.role") }).click();
      await page.getByRole("option", { name: t("admin.role.reseller"), exact: true }).click();
      await account.getByLabel(t("admin.change.reason"), { exact: true }).fill("Sözleşme 4711");
      await account.getByLabel(t("admin.change.email"), { exact: true }).fill(member.email);
      const save = account.getByRole("button", { name: t("admin.change.submit") });
      await save.click();
      await expect(account.getByText(t("validation.agreement_first"))).toBeVisible();
      await account.getByLabel(t("admin.change.agreement")).check();
      await save.click();
      await expect(page.getByText(t("responses.role_saved"))).toBeVisible();
      await expect(
        page.getByRole("table").getByText(t("admin.role.reseller"), { exact: true }),
      ).toBeVisible();
    });

    test("nobody else finds the page", async ({ page, signIn, t }) => {
      await signIn(page, "reseller@example.com");
      await open(page, "/dashboard");
      await expect(page.getByRole("link", { name: t("navigation.users"), exact: true })).toHaveCount(0);
      await open(page, "/admin/users");
      await expect(page.getByRole("searchbox", { name: t("admin.search") })).toHaveCount(0);
    });
  });
}
