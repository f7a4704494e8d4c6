import { expect, expectAccessible, open, test } from "./fixtures";

test("a reseller proves their identity to create a customer's key, and the customer gets a mail", async ({
  page,
  server,
  signIn,
  mailed,
  t,
}) => {
  await signIn(page, "reseller@example.com");
  const [site] = await server.sql<{ id: number }>(
    "select id from sites where domain = 'magaza2.example.com'",
  );
  const session = (await page.context().cookies()).find(({ name }) => name === "session");
  await server.sql(
    "update access_tokens set proven_at = null where token_hash = sha256(convert_to($1, 'UTF8')) returning id",
    [session!.value],
  );
  await open(page, `/sites/${site!.id}?tab=keys`);
  await page.getByRole("button", { name: t("sites.externalKey.make"), exact: true }).click();
  const renewal = page.getByRole("dialog", { name: t("sites.externalKey.makeTitle") });
  const make = renewal.getByRole("button", { name: t("sites.externalKey.make"), exact: true });
  await make.click();

  const proof = page.getByRole("dialog", { name: t("identity.title") });
  await expect(proof).toBeVisible();
  await expectAccessible(page);
  await proof.getByRole("button", { name: t("common.close") }).click();
  await expect(proof).toHaveCount(0);
  await expect(make, "cancelling the proof shows no error").toBeVisible();
  await expect(renewal.getByRole("alert")).toHaveCount(0);

  await make.click();
  await proof.getByLabel(t("auth.signIn.password"), { exact: true }).fill("demo-password");
  await proof.getByRole("button", { name: t("identity.submit"), exact: true }).click();
  const ready = page.getByRole("dialog", { name: t("sites.externalKey.ready") });
  await expect(ready.getByText(/dse_/).first()).toBeVisible();
  await expectAccessible(page);
  await mailed("customer2@example.com", new RegExp(`/sites/${site!.id}\\b`));
});
