import type { Page } from "@playwright/test";
import {
  ARABIC_PHONE,
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  expectPage,
  LOOKS,
  open,
  test,
  waitForPage,
} from "./fixtures";
import type { ServerProcess } from "./server-process";
import type { Translator } from "./translator";

const PHONE = { viewport: ARABIC_PHONE.viewport };
const TOKEN_SUFFIX = "t".repeat(35);

async function createSite(server: ServerProcess, ownerEmail: string, domain: string): Promise<void> {
  await server.sql(
    `insert into sites (user_id, name, search_text, domain, api_key_hash, api_key_sealed, api_key_last_four)
         select u.id, 'Nar Kitabevi', 'nar kitabevi ${domain}', '${domain}', sha256('${domain}'), s.api_key_sealed,
                s.api_key_last_four
           from sites s, users u
          where s.domain = 'kayakahve.example.com' and u.email = '${ownerEmail}'`,
  );
}

async function check(page: Page) {
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
}

const getSubmitButton = (page: Page, t: Translator) =>
  page.getByRole("button", { name: t("connections.connect.submit"), exact: true });

for (const look of [LOOKS[0], LOOKS[3]])
  test.describe(`${look.locale}, ${look.theme}, phone`, () => {
    test.use({ ...PHONE, look });

    test("a bot is connected for the only site in three clicks, and the result survives Back and reload", {
      tag: look.locale === "tr" ? "@main" : [],
    }, async ({ page, server, signIn, member, t }) => {
      const botId = `7${String(Date.now()).slice(-8)}${look.locale === "tr" ? 1 : 2}`;
      await createSite(server, member.email, `wizard-${botId}.example.com`);
      await signIn(page, member.email, member.password);
      await open(page, "/connections");
      await page.getByRole("link", { name: t("connections.empty.action"), exact: true }).click();
      await expectPage(page, /\/connections\/new$/);
      await check(page);
      await page.getByRole("link", { name: t("connections.channel.telegram") }).click();
      await expectPage(page, /\/connections\/new\?channel=telegram$/);
      await expect(page.getByRole("checkbox", { name: "Nar Kitabevi" })).toBeChecked();
      await check(page);

      const tokenField = page.getByLabel(t("connections.field.bot_token"), { exact: true });
      await tokenField.fill(`${botId}:${TOKEN_SUFFIX.slice(7)}REVOKED`);
      await getSubmitButton(page, t).click();
      await expect(tokenField).toHaveAttribute("aria-invalid", "true");
      await expect(tokenField).toBeFocused();
      await tokenField.fill(`${botId}:${TOKEN_SUFFIX}`);
      await getSubmitButton(page, t).click();

      await waitForPage(page, /\/connections\/new\?connected=\d+$/);
      const result = page.getByText(t("channels.ready.worksTitle"), { exact: true });
      await expect(result).toBeVisible();
      await expect(page.getByText("Nar Kitabevi").first()).toBeVisible();
      await expect(
        page.getByRole("link", { name: t("channels.ready.open.telegram"), exact: true }),
      ).toHaveAttribute("href", `https://t.me/sandbox_${botId}_bot`);
      await check(page);
      await page.reload();
      await expect(result).toBeVisible();
      await page.goBack();
      await expectPage(page, /\/connections\/new$/);
    });

    test("a site is linked after the channel was connected without one, and a test SMS is sent", async ({
      page,
      server,
      signIn,
      member,
      t,
    }) => {
      await createSite(server, member.email, `sms-${look.locale}.example.com`);
      await signIn(page, member.email, member.password);
      await open(page, "/connections/new?channel=sms");
      const numberSid = `PN${look.locale === "tr" ? "5001" : "5002"}`;
      await page.getByLabel(t("connections.field.account_sid"), { exact: true }).fill(`AC${"2".repeat(32)}`);
      await page.getByLabel(t("connections.field.phone_number_sid"), { exact: true }).fill(numberSid);
      await page.getByLabel(t("connections.field.auth_token"), { exact: true }).fill("a-token-of-twilio");
      await page.getByRole("checkbox", { name: "Nar Kitabevi" }).uncheck();
      await getSubmitButton(page, t).click();
      await waitForPage(page, /\/connections\/new\?connected=\d+$/);
      await expect(page.getByText(t("channels.ready.noSite"))).toBeVisible();
      await expect(page.getByRole("checkbox", { name: "Nar Kitabevi" })).toBeChecked();
      await check(page);
      await page.getByRole("button", { name: t("connections.link.submit"), exact: true }).click();
      await expect(page.getByText(t("channels.ready.worksTitle"), { exact: true })).toBeVisible();

      const phoneField = page.getByLabel(t("connections.test.to"), { exact: true });
      const sendButton = page.getByRole("button", { name: t("connections.test.submit"), exact: true });
      await phoneField.fill("0532 123 44 04");
      await sendButton.click();
      await expect(phoneField).toHaveAttribute("aria-invalid", "true");
      await phoneField.fill("0532 123 45 67");
      await sendButton.click();
      await expect(page.getByText(t("connections.test.sent"))).toBeVisible();
      await check(page);
    });
  });

test.describe("a dead bot", () => {
  test.use(ARABIC_PHONE);

  test("is reconnected with a new token of the same bot only", async ({
    page,
    server,
    signIn,
    member,
    t,
  }) => {
    await createSite(server, member.email, "reconnect.example.com");
    await server.sql(
      `with copy as (
         insert into connections (user_id, channel, connection_type, label, remote_key, secret_sealed,
                                  secret_last_four, health, dead_seen_at, token_dead_at)
         select u.id, c.channel, c.connection_type, '@nar_bot', '612000001', c.secret_sealed, c.secret_last_four,
                c.health, c.dead_seen_at, c.token_dead_at
           from connections c, users u where c.label = '@kayakahve_bot' and u.email = '${member.email}'
         returning id)
       insert into connection_sites (connection_id, site_id)
       select copy.id, s.id from copy, sites s where s.domain = 'reconnect.example.com'`,
    );
    await signIn(page, member.email, member.password);
    await open(page, "/connections");
    await page
      .getByRole("table")
      .getByRole("link", { name: `${t("connections.banner.reconnect")}: @nar_bot` })
      .click();
    await expectPage(page, /\/connections\/\d+\/reconnect$/);
    await check(page);
    const tokenField = page.getByLabel(t("connections.field.bot_token"), { exact: true });
    const reconnectButton = page.getByRole("button", {
      name: t("connections.banner.reconnect"),
      exact: true,
    });
    await tokenField.fill(`612345678:${TOKEN_SUFFIX}`);
    await reconnectButton.click();
    const refusal = t("errors.connection_refused", { reason: "other_account" });
    await expect(page.getByText(refusal).first()).toBeVisible();
    await tokenField.fill(`612000001:${TOKEN_SUFFIX}`);
    await reconnectButton.click();
    await waitForPage(page, /\/reconnect\?done=1$/);
    await expect(page.getByText(t("channels.ready.worksTitle"), { exact: true })).toBeVisible();
    await check(page);
    const [row] = await server.sql<{ label: string; is_dead: boolean; sites: number }>(
      `select label, token_dead_at is not null as is_dead,
              (select count(*)::int from connection_sites where connection_id = c.id) as sites
         from connections c where remote_key = '612000001'`,
    );
    expect(row).toEqual({ label: "@nar_bot", is_dead: false, sites: 1 });
  });
});
