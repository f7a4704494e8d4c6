import { ARABIC, expect, expectAccessible, expectPage, forgetSession, open, pathOf, test } from "./fixtures";

test.use(ARABIC);

test("the reset of a second factor is asked for, found again, and stopped by the owner", async ({
  page,
  server,
  signIn,
  member,
  mailed,
  t,
}) => {
  const [account] = await server.sql<{ id: number }>(
    `insert into factors (user_id, kind, confirmed_at)
         select id, 'email', now() from users where email = $1 returning user_id as id`,
    [member.email],
  );
  await signIn(page, "admin@example.com");
  await open(page, `/admin/users/${account!.id}`);
  const card = page.getByRole("region", { name: t("admin.factorReset.title") });
  await card.getByRole("button", { name: t("admin.factorReset.open"), exact: true }).click();
  await card.getByLabel(t("admin.access.reason"), { exact: true }).fill("Telefonu kayıp, kayıt 4711");
  await expectAccessible(page);
  await card.getByRole("button", { name: t("admin.factorReset.ask") }).click();
  await expect(page.getByText(t("responses.factor_reset_asked"))).toBeVisible();
  await expect(card.getByText(t("admin.factorReset.timeDue"))).toBeVisible();
  await expectAccessible(page);

  await open(page, "/admin/users");
  const list = page.getByRole("region", { name: t("admin.factorReset.listTitle") });
  await expect(list.getByText(member.name)).toBeVisible();
  await expectAccessible(page);

  await forgetSession(page);
  const { found } = await mailed(member.email, /http\S+stop-factor-reset\S+/);
  await open(page, pathOf(found));
  await expectAccessible(page);
  await page.getByRole("button", { name: t("auth.stopReset.submit") }).click();
  await expect(page.getByText(t("auth.stopReset.doneText"))).toBeVisible();
  await open(page, pathOf(found));
  await page.getByRole("button", { name: t("auth.stopReset.submit") }).click();
  await expect(page.getByText(t("auth.stopReset.deadTitle"))).toBeVisible();
});

test("how long a reset waits is a setting of the platform", async ({ page, signIn, t }) => {
  await signIn(page, "admin@example.com");
  await open(page, "/admin/settings");
  const card = page.getByRole("region", { name: t("platformSettings.resets.title") });
  await card.getByLabel(t("platformSettings.resets.hours")).fill("24");
  await card.getByRole("button", { name: t("platformSettings.resets.save") }).click();
  await expect(page.getByText(t("responses.settings_saved"))).toBeVisible();
  await expectAccessible(page);
  await expectPage(page, /\/admin\/settings$/);
});
