import { expect, open, test } from "./fixtures";

test("the health page shows a missing backup as not checked and tests an external service", {
  tag: "@main",
}, async ({ page, signIn, t }) => {
  await signIn(page, "admin@example.com");
  await open(page, "/admin/health");
  const backupRow = page.getByRole("listitem").filter({ hasText: t("health.rows.backups") });
  await expect(backupRow.getByText(t("health.values.noBackup"), { exact: true })).toBeVisible();
  await expect(backupRow.getByText(t("health.light.grey"), { exact: true })).toBeVisible();
  const name = "Paraşüt";
  await page.getByRole("button", { name: t("health.parties.testOf", { name }), exact: true }).click();
  await expect(page.getByText(t("responses.party_works", { name }))).toBeVisible();
});
