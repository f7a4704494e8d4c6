import { ARABIC, expect, expectAccessible, expectPage, open, test } from "./fixtures";

test.use(ARABIC);

test("an administrator finds an account by e-mail and makes it a reseller", { tag: "@main" }, async ({
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

  await page.getByRole("button", { name: t("ui.peek.show", { name: member.name }) }).click();
  const accountDialog = page.getByRole("dialog", { name: member.name });
  await expect(accountDialog.getByText(t("admin.gates.open"))).toHaveCount(7);
  await accountDialog.getByRole("button", { name: t("admin.change.title"), exact: true }).click();
  await accountDialog.getByRole("combobox", { name: t("admin.column.role") }).click();
  await page
    .getByRole("listbox")
    .getByRole("option", { name: t("admin.role.reseller"), exact: true })
    .click();
  await accountDialog.getByLabel(t("admin.change.reason"), { exact: true }).fill("Sözleşme 4711");
  await accountDialog.getByLabel(t("admin.change.email"), { exact: true }).fill(member.email);
  const saveButton = accountDialog.getByRole("button", { name: t("admin.change.submit") });
  await saveButton.click();
  await expect(accountDialog.getByText(t("validation.agreement_first"))).toBeVisible();
  await accountDialog.getByLabel(t("admin.change.agreement")).check();
  await saveButton.click();
  await expect(page.getByText(t("responses.role_saved"))).toBeVisible();
  await expect(page.getByRole("table").getByText(t("admin.role.reseller"), { exact: true })).toBeVisible();
});

test("an administrator activates a plan and adds credits from an account's page", async ({
  page,
  server,
  signIn,
  member,
  t,
}) => {
  const [account] = await server.sql<{ id: number }>("select id from users where email = $1", [member.email]);
  await signIn(page, "admin@example.com");
  await open(page, `/admin/users?q=${encodeURIComponent(member.email)}`);
  await page.getByRole("table").getByRole("link", { name: member.name, exact: true }).click();
  await expectPage(page, new RegExp(`/admin/users/${account!.id}$`));
  await page.getByRole("link", { name: t("admin.user.activate"), exact: true }).click();
  await expectPage(page, /\/admin\/subscriptions\/activate/);
  await page.getByRole("combobox", { name: t("billingAdmin.activation.terms.plan") }).click();
  await page.getByRole("option", { name: /Pro/ }).click();
  await page.getByRole("button", { name: t("billingAdmin.activation.terms.next") }).click();
  await page.getByRole("button", { name: t("billingAdmin.activation.review.submit"), exact: true }).click();
  await expect(page.getByText(t("billingAdmin.activation.done.title", { plan: "Pro" }))).toBeVisible();

  await open(page, `/admin/subscriptions?user_id=${account!.id}`);
  await expect(page.getByText(t("billingAdmin.ofAccount", { name: member.name }))).toBeVisible();
  await page.getByRole("link", { name: member.name, exact: true }).click();
  await page.waitForURL(/\/admin\/users\/\d+$/);
  await page.getByRole("tab", { name: t("admin.user.tabs.credits"), exact: true }).click();
  await page.getByRole("button", { name: /Pro.*10.000/ }).click();
  const amount = page.getByRole("textbox", { name: t("billingAdmin.credits.amount"), exact: true });
  await expect(amount).toHaveValue("10000");
  await page.getByRole("button", { name: t("billingAdmin.credits.submit"), exact: true }).click();
  await expect(page.getByText(t("billingAdmin.credits.balance", { credits: 11_000 }))).toBeVisible();
  await expect(page.getByRole("table").getByText("+10", { exact: false })).toBeVisible();
});

test("an administrator sees why an account cannot sign in and unlocks it", { tag: "@main" }, async ({
  page,
  server,
  signIn,
  member,
  t,
}) => {
  const wrongCredentials = { email: member.email, password: "a-wrong-password" };
  const clientAddress = "198.51.100.77";
  // Five failures are allowed.
  for (let attempt = 0; attempt < 6; attempt++)
    await server.call("POST", "/api/auth/login", { body: wrongCredentials, clientAddress });
  await signIn(page, "admin@example.com");
  await open(page, "/admin/users");
  await page.getByRole("link", { name: t("admin.explain.link"), exact: true }).click();
  await expectPage(page, /\/admin\/gates$/);
  await page.getByLabel(t("admin.explain.email"), { exact: true }).fill("nobody@example.com");
  await page.getByRole("button", { name: t("admin.explain.submit"), exact: true }).click();
  await expect(page.getByText(t("admin.explain.unknown"))).toBeVisible();
  await page.getByLabel(t("admin.explain.email"), { exact: true }).fill(member.email);
  await page.getByRole("button", { name: t("admin.explain.submit"), exact: true }).click();
  await expect(page.getByText(t("admin.explain.stoppedBy.attempts"))).toBeVisible();
  await expectAccessible(page);
  const label = t("admin.lift.unlock");
  await page.getByRole("button", { name: label, exact: true }).click();
  const form = page.getByRole("form", { name: label });
  await form.getByRole("textbox").fill("Ticket 4711");
  await form.getByRole("button", { name: label, exact: true }).click();
  await expect(page.getByText(t("admin.explain.open"))).toBeVisible();
  await expect(page.getByText(t("admin.gates.open"))).toHaveCount(7);
});

test("selected accounts are deactivated together after a preview", async ({ page, signIn, member, t }) => {
  await signIn(page, "admin@example.com");
  await open(page, `/admin/users?q=${encodeURIComponent(member.email)}`);
  await page.getByRole("checkbox", { name: t("admin.bulk.choose", { name: member.name }) }).check();
  await page.getByRole("button", { name: t("admin.bulk.deactivate"), exact: true }).click();
  const title = t("admin.bulk.title", { action: "deactivate" });
  const dialog = page.getByRole("dialog", { name: title });
  await expect(dialog.getByText(t("admin.bulk.changes", { count: 1 }))).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole("textbox").fill("Ticket 4711");
  await dialog.getByRole("button", { name: title, exact: true }).click();
  await expect(dialog.getByText(t("admin.bulk.done", { count: 1 }))).toBeVisible();
  await dialog.getByRole("button", { name: t("common.close"), exact: true }).click();
  await expect(page.getByRole("table").getByText(t("admin.state.passive"), { exact: true })).toBeVisible();
});

test("an account is deactivated and activated with a reason", { tag: "@main" }, async ({
  page,
  server,
  signIn,
  member,
  t,
}) => {
  const [account] = await server.sql<{ id: number }>("select id from users where email = $1", [member.email]);
  await signIn(page, "admin@example.com");
  await open(page, `/admin/users/${account!.id}`);
  for (const action of ["deactivate", "activate"] as const) {
    const label = t(`admin.access.${action}`);
    await page.getByRole("button", { name: label, exact: true }).click();
    const form = page.getByRole("form", { name: label });
    await form.getByRole("textbox").fill("Ticket 4711");
    if (action === "deactivate") await expectAccessible(page);
    await form.getByRole("button", { name: label, exact: true }).click();
    const nextLabel = t(`admin.access.${action === "activate" ? "deactivate" : "activate"}`);
    await expect(page.getByRole("button", { name: nextLabel, exact: true })).toBeVisible();
    const { status } = await server.call("POST", "/api/auth/login", { body: member });
    expect(status).toBe(action === "activate" ? 200 : 403);
  }
  await page.getByRole("button", { name: t("admin.column.menu"), exact: true }).click();
  await page.getByRole("menuitem", { name: t("admin.access.signOut"), exact: true }).click();
  const drawer = page.getByRole("dialog", { name: t("admin.access.signOut") });
  await drawer.getByRole("textbox").fill("Ticket 4712");
  await expectAccessible(page);
  await drawer.getByRole("button", { name: t("admin.access.signOut"), exact: true }).click();
  await expect(drawer).toHaveCount(0);
  await page.getByRole("link", { name: t("admin.access.log"), exact: true }).click();
  await expectPage(page, /\/admin\/audit/);
  await expect(page.getByText("account.deactivated")).toBeVisible();
  await expect(page.getByText("Ticket 4711")).toHaveCount(2);
});

test("a reseller cannot open the pages of administrators", async ({ page, signIn, t }) => {
  await signIn(page, "reseller@example.com");
  await open(page, "/dashboard");
  await expect(page.getByRole("link", { name: t("navigation.users"), exact: true })).toHaveCount(0);
  await open(page, "/admin/users");
  await expect(page.getByRole("searchbox", { name: t("admin.search") })).toHaveCount(0);
  await open(page, "/admin/users/1");
  await expect(page.getByRole("heading", { name: t("admin.user.missing.title") })).toBeVisible();
  await expectAccessible(page);
});
