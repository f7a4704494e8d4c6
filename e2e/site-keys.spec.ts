import { expect, expectAccessible, open, test } from "./fixtures";

test("a reseller proves their identity to create a customer's key, and the customer gets a mail", async ({
  page,
  server,
  signIn,
  waitForMail,
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
  const renewalDialog = page.getByRole("dialog", { name: t("sites.externalKey.makeTitle") });
  const createButton = renewalDialog.getByRole("button", { name: t("sites.externalKey.make"), exact: true });
  await createButton.click();

  const proofDialog = page.getByRole("dialog", { name: t("identity.title") });
  await expect(proofDialog).toBeVisible();
  await expectAccessible(page);
  await proofDialog.getByRole("button", { name: t("common.close") }).click();
  await expect(proofDialog).toHaveCount(0);
  await expect(createButton, "cancelling the proof shows no error").toBeVisible();
  await expect(renewalDialog.getByRole("alert")).toHaveCount(0);

  await createButton.click();
  await proofDialog.getByLabel(t("auth.signIn.password"), { exact: true }).fill("demo-password");
  await proofDialog.getByRole("button", { name: t("identity.submit"), exact: true }).click();
  const keyDialog = page.getByRole("dialog", { name: t("sites.externalKey.ready") });
  await expect(keyDialog.getByText(/dse_/).first()).toBeVisible();
  await expectAccessible(page);
  await waitForMail("customer2@example.com", new RegExp(`/sites/${site!.id}\\b`));
});
