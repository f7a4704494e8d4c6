import {
  ARABIC_PHONE,
  expect,
  expectInvalid,
  expectPage,
  open,
  pathOf,
  test,
  tickConsents,
} from "./fixtures";

test.use(ARABIC_PHONE);

test("an invited agent sees only their site and is signed out when deactivated", { tag: "@main" }, async ({
  page,
  browser,
  signIn,
  newcomer,
  mailed,
  origin,
  t,
}) => {
  test.slow();
  await signIn(page, "customer@example.com");
  await open(page, "/team");
  await expectPage(page, /\/team$/);
  await page.getByRole("button", { name: t("team.invite.open"), exact: true }).click();
  const drawer = page.getByRole("dialog", { name: t("team.invite.title") });
  const send = drawer.getByRole("button", { name: t("team.invite.submit"), exact: true });
  const site = drawer.getByRole("combobox", { name: t("team.invite.site") });
  const inviteName = drawer.getByLabel(t("team.invite.name"), { exact: true });
  await expect(inviteName, "the first field has the focus").toBeFocused();
  await inviteName.fill(newcomer.name);
  const leaveDialog = page.getByRole("alertdialog", { name: t("ui.form.leave.title") });
  await page.keyboard.press("Escape");
  await expect(leaveDialog).toBeVisible();
  await leaveDialog.getByRole("button", { name: t("ui.form.leave.cancel") }).click();
  await expect(leaveDialog).toHaveCount(0);
  await expect(inviteName, "typed text is kept").toHaveValue(newcomer.name);
  await page.keyboard.press("Escape");
  await leaveDialog.getByRole("button", { name: t("ui.form.leave.confirm") }).click();
  await expect(drawer, "closes after confirmation").toHaveCount(0);
  const invite = page.getByRole("button", { name: t("team.invite.open"), exact: true });
  await invite.click();
  await expect(inviteName).toHaveValue("");
  await page.keyboard.press("Escape");
  await expect(drawer, "closes without confirmation when empty").toHaveCount(0);
  await invite.click();
  await inviteName.fill(newcomer.name);
  await drawer.getByLabel(t("team.invite.email"), { exact: true }).fill(newcomer.email);
  await send.click();
  await expectInvalid(site);
  await site.click();
  await page.getByRole("option", { name: "Kaya Kahve" }).click();
  await send.click();
  const row = page.getByRole("row").filter({ hasText: newcomer.email });
  await expect(row).toBeVisible();
  await expectPage(page, /\/team$/);

  const mail = await mailed(newcomer.email, /http\S+\/accept-invitation\?token=\S+/);
  expect(mail.locale).toBe("ar");
  const agentContext = await browser.newContext({ viewport: ARABIC_PHONE.viewport, locale: "tr-TR" });
  await agentContext.addCookies([
    { name: "locale", value: "ar", url: origin },
    { name: "theme", value: "dark", url: origin },
  ]);
  const agent = await agentContext.newPage();
  const name = agent.getByLabel(t("auth.signUp.name"), { exact: true });
  for (let time = 0; time < 2; time++) {
    await open(agent, origin + pathOf(mail.found));
    await expect(name, "opening the link does not use it").toHaveValue(newcomer.name);
  }
  await expectPage(agent, /\/accept-invitation$/);
  await agent.getByLabel(t("auth.signUp.password"), { exact: true }).fill(newcomer.password);
  const accept = agent.getByRole("button", { name: t("auth.invitation.submit") });
  await accept.click();
  await expectInvalid(agent.getByRole("checkbox", { name: t("consents.terms.summary") }));
  await tickConsents(agent, t);
  await accept.click();
  await expectPage(agent, /\/dashboard/);

  await open(agent, `${origin}/sites`);
  await expectPage(agent, /\/sites$/);
  const rows = agent.getByRole("row").filter({ has: agent.getByRole("cell") });
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText("Kaya Kahve");
  for (const path of ["/sites/2", "/team"]) {
    await open(agent, origin + path);
    await expectPage(agent, new RegExp(path));
    await expect(agent.getByText("Kaya Toptan")).toHaveCount(0);
  }

  await open(page, page.url());
  await expect(row).toContainText("Kaya Kahve");
  await row.getByRole("button", { name: t("team.menu.label", { name: newcomer.name }) }).click();
  await page.getByRole("menuitem", { name: t("team.menu.deactivate") }).click();
  const confirmation = page.getByRole("alertdialog");
  await expect(confirmation).toBeVisible();
  await confirmation.getByRole("button", { name: t("team.deactivate.confirm") }).click();
  await expect(confirmation).toHaveCount(0);
  await open(agent, `${origin}/sites`);
  await expect(agent, "signed out everywhere").toHaveURL(/\/sign-in/);
  await agentContext.close();
});
