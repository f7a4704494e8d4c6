import { ARABIC, clearSession, expect, expectAccessible, expectPage, open, test, toPath } from "./fixtures";

test.use(ARABIC);

test("a reset of a second factor is requested, listed and stopped by the owner", async ({
  page,
  server,
  signIn,
  member,
  waitForMail,
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
  const resetList = page.getByRole("region", { name: t("admin.factorReset.listTitle") });
  await expect(resetList.getByText(member.name)).toBeVisible();
  await expectAccessible(page);

  await clearSession(page);
  const { match: stopLink } = await waitForMail(member.email, /http\S+stop-factor-reset\S+/);
  await open(page, toPath(stopLink));
  await expectAccessible(page);
  await page.getByRole("button", { name: t("auth.stopReset.submit") }).click();
  await expect(page.getByText(t("auth.stopReset.doneText"))).toBeVisible();
  await open(page, toPath(stopLink));
  await page.getByRole("button", { name: t("auth.stopReset.submit") }).click();
  await expect(page.getByText(t("auth.stopReset.deadTitle"))).toBeVisible();
});

test("an administrator sets the waiting time of resets", async ({ page, signIn, t }) => {
  await signIn(page, "admin@example.com");
  await open(page, "/admin/settings");
  const card = page.getByRole("region", { name: t("platformSettings.resets.title") });
  await card.getByLabel(t("platformSettings.resets.hours")).fill("24");
  await card.getByRole("button", { name: t("platformSettings.resets.save") }).click();
  await expect(page.getByText(t("responses.settings_saved"))).toBeVisible();
  await expectPage(page, /\/admin\/settings$/);
});

test("a reset for an administrator needs a second administrator, and the owner can stop it", async ({
  page,
  request,
  origin,
  server,
  signIn,
  member,
  waitForMail,
  t,
}) => {
  const ownerEmail = `owner.${member.email}`;
  const [targetUser] = await server.sql<{ id: number }>(
    `insert into users (name, email, email_key, role, email_verified_at) values ('İnci Öz', $1, $1, 'admin', now()) returning id`,
    [ownerEmail],
  );
  await server.sql("insert into factors (user_id, kind, confirmed_at) values ($1, 'email', now())", [
    targetUser!.id,
  ]);
  await server.sql("update users set role = 'admin' where email = $1", [member.email]);
  const card = page.getByRole("region", { name: t("admin.factorReset.title") });
  const approveButton = card.getByRole("button", { name: t("admin.factorReset.approve"), exact: true });
  const approvalNotice = card.getByText(t("admin.factorReset.approvalDue"));

  await signIn(page, member.email, member.password);
  await open(page, `/admin/users/${targetUser!.id}`);
  await card.getByRole("button", { name: t("admin.factorReset.open"), exact: true }).click();
  await card.getByLabel(t("admin.access.reason"), { exact: true }).fill("Telefonu kayıp, kayıt 4712");
  await card.getByRole("button", { name: t("admin.factorReset.ask") }).click();
  await expect(approvalNotice).toBeVisible();
  await expect(approveButton, "the requester cannot approve").toHaveCount(0);
  const headers = { authorization: `Bearer ${member.token}`, accept: "application/json" };
  const pendingResponse = await request.get(`${origin}/api/admin/factor-resets?user_id=${targetUser!.id}`, {
    headers,
  });
  const { resets } = (await pendingResponse.json()) as { resets: Array<{ id: string }> };
  const selfApproval = await request.post(`${origin}/api/admin/factor-resets/${resets[0]!.id}/approve`, {
    headers,
  });
  expect([selfApproval.status(), selfApproval.headers()["x-error-code"]]).toEqual([422, "own_approval"]);

  await signIn(page, "admin@example.com");
  await open(page, `/admin/users/${targetUser!.id}`);
  await card.getByRole("button", { name: t("admin.factorReset.open"), exact: true }).click();
  await approveButton.click();
  await expect(approvalNotice).toHaveCount(0);
  await expect(card.getByText(t("admin.factorReset.timeDue"))).toBeVisible();

  await clearSession(page);
  const { match: stopLink } = await waitForMail(ownerEmail, /http\S+stop-factor-reset\S+/);
  await open(page, toPath(stopLink));
  await page.getByRole("button", { name: t("auth.stopReset.submit") }).click();
  await expect(page.getByText(t("auth.stopReset.doneText"))).toBeVisible();
  const resetActions = await server.sql<{ state: string; factor_count: number }>(
    `select a.state, (select count(*)::int from factors f where f.user_id = a.target_id) as factor_count
       from admin_actions a where a.target_id = $1`,
    [targetUser!.id],
  );
  expect(resetActions).toEqual([{ state: "cancelled", factor_count: 1 }]);
  await server.sql("update users set role = 'user' where email in ($1, $2)", [ownerEmail, member.email]);
});
