import type { Page } from "@playwright/test";
import {
  ARABIC_PHONE,
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  expectPage,
  open,
  placeOrder,
  test,
  waitForPage,
} from "./fixtures";

const getRegion = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

test("an expired plan is named on every page, and ordered again from the dashboard", {
  tag: "@main",
}, async ({ page, server, signIn, t }) => {
  await signIn(page, "customer4@example.com");
  const [ended] = await server.sql<{ reference: string }>(
    "select s.reference from subscriptions s join users u on u.id = s.user_id where u.email = 'customer4@example.com' and s.status = 'expired'",
  );
  await open(page, `/billing/pay/${ended!.reference}`);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Starter");
  await expect(page.getByRole("link", { name: t("billing.pay.choose"), exact: true })).toBeVisible();
  const orderAgain = page.getByRole("link", { name: t("dashboard.due.orderAgain"), exact: true });
  for (const path of ["/sites", "/dashboard"]) {
    await open(page, path);
    await expect(orderAgain, "once on a page").toHaveCount(1);
    await expect(page.getByText("Güneş Mağaza").first()).toBeVisible();
  }
  await expect(page.getByText(/2\.999/).first()).toBeVisible();
  await expectAccessible(page);
  await orderAgain.click();
  await expectPage(page, /\/billing\/checkout\?plan=\d+$/);
  await expect(page.getByText(t("billing.checkout.effect.restored", { count: 1 }))).toBeVisible();
  await placeOrder(page, t);
  await open(page, "/dashboard");
  const attention = getRegion(page, t("dashboard.attention.title"));
  await expect(
    attention.getByRole("link", { name: `${t("dashboard.due.pay")}: Starter`, exact: true }),
  ).toBeVisible();
  await expect(orderAgain).toHaveCount(0);
});

test("a past-due plan leads to its renewal, not to an order", async ({ page, signIn, t }) => {
  await signIn(page, "customer3@example.com");
  await open(page, "/dashboard");
  await expect(page.getByRole("list", { name: t("billing.timeline.label") })).toBeVisible();
  await page
    .getByRole("main")
    .getByRole("link", { name: `${t("billing.renewal.renew")}: Starter`, exact: true })
    .click();
  await expectPage(page, /\/billing\/pay\/T\d{8}$/);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Starter");
  await expect(page.getByText(/^T\d{8}$/).first()).toBeVisible();
  await expect(page.getByRole("button", { name: t("billing.order.cancel") })).toHaveCount(0);
  await open(page, "/billing");
  const planCard = getRegion(page, "Starter");
  await expect(planCard.getByText(t("billing.subscription.pastDue"))).toBeVisible();
  await expect(planCard.getByRole("list", { name: t("billing.timeline.label") })).toBeVisible();
  await expect(page.getByRole("heading", { name: t("billing.order.heading") })).toHaveCount(0);
});

test("a customer completes the detail that an invoice waits for, and gets to the form of a dead channel", async ({
  page,
  signIn,
  t,
}) => {
  await signIn(page, "customer@example.com");
  await open(page, "/dashboard");
  const attention = getRegion(page, t("dashboard.attention.title"));
  await expect(
    attention.getByText(t("billing.documents.missing.tax_number"), { exact: false }),
  ).toBeVisible();
  await expectAccessible(page);
  await attention.getByRole("link", { name: t("billing.documents.needsAction"), exact: true }).click();
  await expectPage(page, /\/billing\?tab=profile$/);
  const profile = getRegion(page, t("billing.profile.title"));
  const getField = (name: string) => profile.getByRole("textbox", { name });
  await expect(getField(t("billing.profile.vkn"))).toHaveAttribute("aria-required", "true");
  await expect(getField(t("billing.profile.address"))).not.toHaveAttribute("aria-required");
  const waitingText = page.getByText(t("billing.documents.needsTitle", { count: 1 }));
  await expect(waitingText).toBeVisible();
  await getField(t("billing.profile.vkn")).fill("8790017566");
  await profile.getByRole("button", { name: t("billing.profile.save"), exact: true }).click();
  await expect(page.getByText(t("responses.billing_profile_saved"))).toBeVisible();
  await expect(waitingText).toHaveCount(0);

  await open(page, "/sites");
  const reconnect = page.getByRole("link", { name: `${t("connections.banner.reconnect")}: @kayakahve_bot` });
  await reconnect.click();
  await waitForPage(page, /\/connections\/\d+\/reconnect$/);
  await expect(page.getByRole("heading", { level: 1, name: /@kayakahve_bot/ })).toBeVisible();
});

test("an agent sees what the site needs, with the owner as contact", async ({ page, signIn, t }) => {
  await signIn(page, "agent@example.com");
  await open(page, "/dashboard");
  const attention = getRegion(page, t("dashboard.attention.title"));
  await expect(attention.getByText("@kayakahve_bot")).toBeVisible();
  await expect(attention.getByRole("link", { name: "customer@example.com" })).toBeVisible();
  await expect(attention.getByRole("link", { name: t("connections.banner.reconnect") })).toHaveCount(0);
});

test("an administrator's dashboard starts with tasks by name, without own figures", async ({
  page,
  signIn,
  t,
}) => {
  await signIn(page, "admin@example.com");
  await open(page, "/dashboard");
  const firstRegion = page.getByRole("main").getByRole("region").first();
  await expect(firstRegion).toHaveAccessibleName(t("overview.title"));
  const task = firstRegion.getByRole("listitem").filter({ hasText: "Zeynep Koç" }).last();
  await expect(task).toContainText("Starter");
  await expect(task).toContainText(/2\.999/);
  for (const title of ["credits", "slots", "usage"] as const)
    await expect(getRegion(page, t(`dashboard.${title}.title`))).toHaveCount(0);
  await expectAccessible(page);
  await firstRegion.getByRole("link", { name: "Zeynep Koç" }).first().click();
  await expectPage(page, /\/admin\/users\/\d+/);
});

test("a reseller's dashboard shows customers and licences to pay", async ({ page, signIn, t }) => {
  await signIn(page, "reseller@example.com");
  await open(page, "/dashboard");
  await expect(getRegion(page, t("dashboard.reseller.licences"))).toContainText(/₺[1-9]/);
  await expect(getRegion(page, t("dashboard.reseller.earnings"))).toBeVisible();
  const customersAtRisk = getRegion(page, t("dashboard.reseller.atRisk.title"));
  await expect(customersAtRisk.getByRole("listitem").first()).toContainText("Burak Güneş");
  await expect(
    customersAtRisk.getByRole("link", { name: `${t("dashboard.reseller.atRisk.open")}: Zeynep Koç` }),
  ).toHaveAttribute("href", /\/reseller\/customers\/\d+$/);
  await expectAccessible(page);
  await page.getByRole("link", { name: t("dashboard.reseller.openCustomers") }).click();
  await expectPage(page, /\/reseller\/customers$/);
});

test("a sub-user learns on the plans, not on the dashboard, that own sites need an own plan", async ({
  page,
  server,
  signIn,
  member,
  t,
}) => {
  const { body: userBody } = await server.call("GET", "/api/auth/user", { token: member.token });
  const admin = await server.signIn("admin@example.com");
  const { body: ownerBody } = await server.call("GET", "/api/auth/user", {
    token: await server.signIn("customer@example.com"),
  });
  const getId = (body: typeof userBody) => (body.user as { id: number }).id;
  const { status } = await server.call("PUT", `/api/admin/users/${getId(userBody)}/parent`, {
    token: admin,
    body: { parent_user_id: getId(ownerBody), reason: "Aynı ekip" },
  });
  expect(status).toBe(200);
  await signIn(page, member.email, member.password);
  for (const path of ["/sites/new", "/billing"]) {
    await open(page, path);
    await expect(page.getByRole("main").getByText("Ayşe Kaya")).toBeVisible();
    await expect(page.getByRole("link", { name: t("sites.plans.choose") }).first()).toBeVisible();
  }
  await open(page, "/dashboard");
  await expect(page.getByRole("main").getByRole("link", { name: t("dashboard.slots.plans") })).toHaveCount(0);
});

test.describe("in Arabic on a phone", () => {
  test.use(ARABIC_PHONE);

  test("a customer's home shows the activity of sites and the state of channels", async ({
    page,
    signIn,
    t,
  }) => {
    await signIn(page, "customer@example.com");
    await open(page, "/dashboard");
    const sites = getRegion(page, t("dashboard.sites.title"));
    await expect(sites.getByRole("link", { name: /Kaya Toptan/ })).toContainText(
      t("dashboard.recent.active", { date: "" }).trim(),
    );
    const channels = getRegion(page, t("dashboard.channels.title"));
    await expect(channels.getByRole("listitem").first()).toContainText("@kayakahve_bot");
    await expect(
      channels.getByRole("listitem").filter({ hasText: t("connections.channel.instagram") }),
    ).toContainText(t("dashboard.channels.state.working"));
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await channels
      .getByRole("link", { name: t("dashboard.channels.choose"), exact: false })
      .first()
      .click();
    await expectPage(page, /\/connections\?channel=whatsapp_qr&state=idle$/);
  });

  test("a reseller's home counts customers by state and leads to the filtered list", async ({
    page,
    signIn,
    t,
  }) => {
    await signIn(page, "reseller@example.com");
    await open(page, "/dashboard");
    const licences = getRegion(page, t("dashboard.reseller.licences"));
    await expect(licences.getByRole("listitem").filter({ hasText: "Duman" })).toContainText(/3[,.]999/);
    const earnings = getRegion(page, t("dashboard.reseller.earnings"));
    await expect(earnings.getByText(t("dashboard.reseller.lastMonth"), { exact: true })).toBeVisible();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await getRegion(page, t("dashboard.reseller.customers"))
      .getByRole("link", { name: t("dashboard.reseller.states.offline"), exact: true })
      .click();
    await expectPage(page, /\/reseller\/customers\?state=offline$/);
    await expect(page.getByText("Burak Güneş").first()).toBeVisible();
    await expect(page.getByText("Işıl Çelik")).toHaveCount(0);
  });

  test("a reseller's set-up starts with the signature, and is hidden later", async ({ page, signIn, t }) => {
    await signIn(page, "reseller@example.com");
    await open(page, "/dashboard");
    const setup = getRegion(page, t("dashboard.setup.title"));
    await expect(
      setup.getByRole("listitem").filter({ hasText: t("dashboard.setup.agreement.title") }),
    ).toContainText(t("dashboard.checklist.done"));
    await expect(
      setup.getByRole("link", { name: new RegExp(`^${t("dashboard.setup.mail.action")}`) }),
    ).toHaveAttribute("href", "/reseller/mail");
    await setup.getByRole("button", { name: t("dashboard.checklist.hide"), exact: true }).click();
    await expect(setup).toHaveCount(0);
    await page.reload();
    await expect(getRegion(page, t("dashboard.reseller.customers"))).toBeVisible();
    await expect(setup).toHaveCount(0);
  });

  test("an administrator's home has the order by name, failed work and the health of each part", async ({
    page,
    signIn,
    t,
  }) => {
    await signIn(page, "admin@example.com");
    await open(page, "/dashboard");
    const order = getRegion(page, t("overview.title"))
      .getByRole("listitem")
      .filter({ hasText: "Derin Sarı" });
    await expect(order.last()).toContainText(/9[,.]999/);
    await expect(getRegion(page, t("jobs.failed.title"))).toContainText(t("jobs.kinds.webhooks"));
    const health = getRegion(page, t("health.title"));
    await expect(
      health.getByRole("link", { name: new RegExp(`^${t("health.rows.database")}`) }),
    ).toBeVisible();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await health.getByRole("link", { name: new RegExp(`^${t("health.rows.queue")}`) }).click();
    await expectPage(page, /\/admin\/jobs$/);
  });

  test("an agent's home names the owner and the abilities", async ({ page, signIn, t }) => {
    await signIn(page, "agent@example.com");
    await open(page, "/dashboard");
    await expect(getRegion(page, "Kaya Kahve")).toContainText("Ayşe Kaya");
    const abilities = getRegion(page, t("dashboard.agent.abilities.title"));
    await expect(abilities.getByText(t("dashboard.agent.abilities.snippets"), { exact: true })).toBeVisible();
    await expect(abilities.getByRole("link", { name: "customer@example.com" })).toBeVisible();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
  });
});
