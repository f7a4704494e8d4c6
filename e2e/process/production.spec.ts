import { type BrowserContext, expect, type Page, test } from "@playwright/test";
import { type FakeSmtpServer, openFakeSmtpServer } from "@/server/testing/smtp";
import { open, orderPlan, tickConsents, toPath } from "../fixtures";
import { ServerProcess } from "../server-process";
import { loadTranslator } from "../translator";
import { completeSetup, publishTerms, setBankDetails, setPlanPrice } from "./setup-steps";

/* The core journey on an empty production database: once in the browser, once with API calls. */

const FIRST_ADMIN_EMAIL = "boss@example.com";
const PASSWORD = "the-first-sale-of-production";
const CUSTOMER = { name: "Ayşe Kaya", email: "ayse@example.com", phone: "+905321112233" };

async function withProductionServer(
  settings: Record<string, string>,
  data: "empty" | "nothing",
  work: (server: ServerProcess, smtpServer: FakeSmtpServer) => Promise<void>,
): Promise<void> {
  const smtpServer = await openFakeSmtpServer();
  const productionSettings = {
    APP_MODE: "production",
    HOST: "127.0.0.1",
    DNS_SERVERS: "127.0.0.1:9",
    SMTP_URL: smtpServer.url,
  };
  const server = await ServerProcess.create({ ...productionSettings, ...settings }, data);
  try {
    await server.start();
    await work(server, smtpServer);
  } finally {
    await server.dispose();
    await smtpServer.stop();
  }
}

async function waitForLink(smtpServer: FakeSmtpServer, address: string, count: number): Promise<string> {
  const text = (await smtpServer.waitForMails(address, count)).at(-1)!.text!;
  return /https?:\/\/\S+/.exec(text)![0];
}

test("in the browser, a fresh installation gets a paid site, which is deleted again", async ({ browser }) => {
  const [tArabic, t] = [loadTranslator("ar"), loadTranslator("tr")];
  const settings = { TRUSTED_PROXY_HOPS: "0", APP_SECRET: crypto.randomUUID() + crypto.randomUUID() };
  await withProductionServer(settings, "nothing", async (server, smtpServer) => {
    const contexts: BrowserContext[] = [];
    const openVisitorPage = async (locale: "ar" | "tr"): Promise<Page> => {
      const context = await browser.newContext({ baseURL: server.url, locale: `${locale}-TR` });
      contexts.push(context);
      await context.addCookies([{ name: "locale", value: locale, url: server.url }]);
      return context.newPage();
    };

    const adminPage = await openVisitorPage("ar");
    await completeSetup(adminPage, server, { t: tArabic, email: FIRST_ADMIN_EMAIL, password: PASSWORD });
    await publishTerms(adminPage, tArabic);
    await setBankDetails(adminPage, tArabic);
    await setPlanPrice(adminPage, tArabic, { plan: "Starter", price: 2499 });

    const customerPage = await openVisitorPage("tr");
    await open(customerPage, "/sign-up");
    await customerPage.getByLabel(t("auth.signUp.name"), { exact: true }).fill(CUSTOMER.name);
    await customerPage.getByLabel(t("auth.signUp.phone"), { exact: true }).fill("0532 111 22 33");
    await customerPage.getByLabel(t("auth.email"), { exact: true }).fill(CUSTOMER.email);
    await customerPage.getByLabel(t("auth.signUp.password"), { exact: true }).fill(PASSWORD);
    await tickConsents(customerPage, t);
    await customerPage.getByRole("button", { name: t("auth.signUp.submit"), exact: true }).click();
    await customerPage.waitForURL(/\/dashboard/);
    await open(customerPage, toPath(await waitForLink(smtpServer, CUSTOMER.email, 1)));
    await customerPage.getByRole("button", { name: t("auth.verify.confirm") }).click();
    await expect(customerPage.getByRole("heading", { name: t("auth.verify.doneTitle") })).toBeVisible();
    await open(customerPage, "/sites/new");
    await expect(customerPage.getByRole("button", { name: t("billing.trial.start") })).toHaveCount(0);
    const reference = await orderPlan(customerPage, t, "Starter");
    const transferCard = customerPage.getByRole("region", { name: t("billing.pay.transfer"), exact: true });
    await expect(transferCard.getByText("TR33 0006 1005 1978 6457 8413 26")).toBeVisible();
    await expect(transferCard.getByText(/2[.,٬]?499/)).toBeVisible();
    await open(customerPage, "/dashboard");
    const dueRegion = customerPage.getByRole("region", { name: t("dashboard.attention.title"), exact: true });
    await expect(dueRegion.getByText(reference)).toBeVisible();

    await open(adminPage, `/admin/subscriptions?q=${reference}`);
    await adminPage
      .getByRole("link", {
        name: `${tArabic("billingAdmin.subscriptions.activate")}: ${CUSTOMER.name}`,
        exact: true,
      })
      .click();
    await expect(
      adminPage.getByRole("combobox", { name: tArabic("billingAdmin.activation.terms.plan") }),
    ).toHaveText(/Starter/);
    await adminPage.getByLabel(tArabic("billingAdmin.transfer.bankReference")).fill(reference);
    await adminPage.getByRole("button", { name: tArabic("billingAdmin.activation.terms.next") }).click();
    await adminPage
      .getByRole("button", { name: tArabic("billingAdmin.activation.review.submit"), exact: true })
      .click();
    await expect(
      adminPage.getByText(tArabic("billingAdmin.activation.done.title", { plan: "Starter" })),
    ).toBeVisible();
    await smtpServer.waitForMails(CUSTOMER.email, 3);

    await open(customerPage, "/sites/new");
    await customerPage.getByLabel(t("sites.form.name"), { exact: true }).fill("Kaya Kahve");
    await customerPage.getByLabel(t("sites.form.domain"), { exact: true }).fill("kahve.example.com");
    await customerPage.getByRole("button", { name: t("sites.new.submit") }).click();
    await expect(customerPage.getByText(/^dsk_[0-9A-Za-z]{49}$/)).toBeVisible();
    const [site] = await server.sql<{ id: number }>(
      "select id from sites where domain = 'kahve.example.com'",
    );
    await open(customerPage, `/sites/${site!.id}?tab=danger`);
    await customerPage.getByRole("button", { name: t("sites.suspension.suspend"), exact: true }).click();
    await customerPage
      .getByRole("alertdialog")
      .getByRole("button", { name: t("sites.suspension.suspend"), exact: true })
      .click();
    await expect(customerPage.getByText(t("sites.detail.suspended"))).toBeVisible();
    await customerPage.getByRole("button", { name: t("sites.suspension.activate"), exact: true }).click();
    await expect(customerPage.getByText(t("sites.detail.suspended"))).toHaveCount(0);
    await customerPage.getByRole("tab", { name: t("sites.tabs.widget") }).click();
    await customerPage.getByLabel(t("sites.form.botName")).fill("Deniz");
    await customerPage.keyboard.press("Control+s");
    await expect(customerPage.getByText(t("responses.site_saved"))).toBeVisible();
    await customerPage.getByRole("tab", { name: t("sites.tabs.danger") }).click();
    await customerPage.getByRole("button", { name: t("sites.deletion.title"), exact: true }).click();
    const dialog = customerPage.getByRole("dialog", { name: t("sites.deletion.title") });
    await dialog.getByRole("textbox").fill("kahve.example.com");
    await dialog.getByRole("button", { name: t("sites.deletion.confirm"), exact: true }).click();
    await expect(customerPage.getByText(t("responses.site_deleted"))).toBeVisible();
    await customerPage.waitForURL(/\/sites$/);

    const [subscription] = await server.sql<{ used: number; status: string }>(
      "select used_slots as used, status::text as status from subscriptions",
    );
    expect(subscription).toEqual({ used: 0, status: "active" });
    for (const context of contexts) await context.close();
  });
});

test("with API calls, a migrated installation gets a paid site, which is deleted again", async () => {
  await withProductionServer(
    { ADMIN_EMAIL: FIRST_ADMIN_EMAIL, ADMIN_NAME: "Deniz Yılmaz" },
    "empty",
    async (server, smtpServer) => {
      const call = async (method: string, path: string, status: number, token?: string, body?: unknown) => {
        const response = await server.call(method, path, { token, body });
        // The body is compared with itself, so that a failure prints it.
        expect([method, path, response.status, response.body]).toEqual([method, path, status, response.body]);
        // biome-ignore lint/suspicious/noExplicitAny: the type depends on the call
        return response.body as any;
      };
      const passwords = { password: PASSWORD, password_confirmation: PASSWORD };
      const waitForToken = async (address: string) =>
        new URL(await waitForLink(smtpServer, address, 1)).searchParams.get("token");

      const passwordReset = {
        token: await waitForToken(FIRST_ADMIN_EMAIL),
        email: FIRST_ADMIN_EMAIL,
        ...passwords,
      };
      await call("POST", "/api/auth/reset-password", 200, undefined, passwordReset);
      const adminToken = (
        await call("POST", "/api/auth/login", 200, undefined, {
          email: FIRST_ADMIN_EMAIL,
          password: PASSWORD,
        })
      ).token;
      const bank = { holder: "Tellal A.Ş.", iban: "TR330006100519786457841326", bank: "Örnek Bankası" };
      await call("PUT", "/api/admin/settings", 200, adminToken, { bank });

      const consents = { terms: true, privacy: true, yurtdisi: true, cagri_kayit: true };
      const { token: customerToken, user } = await call("POST", "/api/auth/register", 201, undefined, {
        ...CUSTOMER,
        ...passwords,
        consents,
      });
      await call("POST", "/api/auth/verify-email", 200, undefined, {
        token: await waitForToken(CUSTOMER.email),
      });
      const site = { name: "Kaya Kahve", domain: "kahve.example.com" };
      expect((await call("POST", "/api/sites", 403, customerToken, site)).requires_upgrade).toBe(true);

      const { data: plans } = await call("GET", "/api/subscription-plans", 200, customerToken);
      const { order } = await call("POST", "/api/billing/orders", 201, customerToken, {
        plan_id: plans[0].id,
      });
      expect(order).toMatchObject({ amount: 2999, bank });
      expect((await call("GET", "/api/billing/due", 200, customerToken)).due).toMatchObject([
        { kind: "order", reference: order.reference, amount: 2999 },
      ]);
      const payment = {
        user_id: user.id,
        plan_id: plans[0].id,
        order_id: order.id,
        bank_reference: order.reference,
      };
      const path = "/api/admin/subscriptions/manual-activate";
      const preview = await call("POST", `${path}/preview`, 200, adminToken, payment);
      expect(preview.recent).toEqual([]);
      const { subscription } = await call("POST", path, 201, adminToken, payment);
      expect(subscription).toMatchObject({ id: order.id, status: "active", site_slots: 1 });
      expect((await smtpServer.waitForMails(CUSTOMER.email, 3)).at(-1)!.text).toContain("Starter");

      const { site: createdSite, billing } = await call("POST", "/api/sites", 201, customerToken, site);
      expect(billing).toEqual({ mode: "subscription_slot", remaining_slots: 0 });
      const sitePath = `/api/sites/${createdSite.id}`;
      expect((await call("POST", `${sitePath}/suspend`, 200, customerToken)).site.is_active).toBe(false);
      expect((await call("POST", `${sitePath}/activate`, 200, customerToken, {})).site.is_active).toBe(true);
      expect((await call("PUT", sitePath, 200, customerToken, { bot_name: "Deniz" })).data.bot_name).toBe(
        "Deniz",
      );
      expect((await call("GET", `${sitePath}/removal`, 200, customerToken)).success).toBe(true);
      await call("DELETE", sitePath, 200, customerToken, { confirmation: site.domain });
      await call("GET", sitePath, 404, customerToken);
      expect((await call("GET", "/api/billing", 200, customerToken)).slots).toEqual({
        total: 1,
        used: 0,
        remaining: 1,
      });
      expect((await call("GET", "/api/billing/due", 200, customerToken)).count).toBe(0);
    },
  );
});
