import { expect, open, test } from "./fixtures";

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
