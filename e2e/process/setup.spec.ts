import { expect, test } from "@playwright/test";
import { LOCALE_LABELS } from "@/server/core/locale";
import { openSmtpPeer } from "@/server/testing/smtp";
import { arriveAt, expectAccessible, giveConsents, open } from "../fixtures";
import { ServerProcess } from "../server-process";
import { wordsOf } from "../words";

/*
 * A production installation from nothing to its first administrator, in the browser alone: the link of the log, the account,
 * the self-check, and the settings that customers need.
 */

/** With what a message would take for a placeholder or a tag. */
const OWN_TERMS = "1. {operator} <b>'s</b>";
const LINK = /\/setup\?token=dsf_\w+/;

for (const locale of ["tr", "ar"] as const)
  test(`a production installation is set up in the browser (${locale})`, async ({ browser }) => {
    test.setTimeout(240_000);
    const t = wordsOf(locale);
    const mail = await openSmtpPeer();
    const server = await ServerProcess.create({
      APP_MODE: "production",
      HOST: "127.0.0.1",
      APP_SECRET: crypto.randomUUID() + crypto.randomUUID(),
      DNS_SERVERS: "127.0.0.1:9",
      SMTP_URL: mail.url,
      // Nothing stands in front of this server.
      TRUSTED_PROXY_HOPS: "0",
    });
    try {
      await server.start();
      await expect.poll(() => server.output).toMatch(LINK);
      const link = LINK.exec(server.output)![0];
      const context = await browser.newContext({ baseURL: server.url, locale: `${locale}-TR` });
      await context.addCookies([{ name: "locale", value: locale, url: server.url }]);
      const page = await context.newPage();

      // Whoever comes without the link learns where it is, and becomes nothing.
      await open(page, "/");
      await page.getByRole("link", { name: t("auth.signIn.setupAction") }).click();
      await expect(page.getByRole("heading", { name: t("setup.waitTitle") })).toBeVisible();
      await open(page, "/setup?token=dsf_wrong");
      await expect(page.getByRole("heading", { name: t("setup.deadTitle") })).toBeVisible();

      await open(page, link);
      await expectAccessible(page);
      await page.getByLabel(t("setup.name"), { exact: true }).fill("Deniz Yılmaz");
      await page.getByLabel(t("auth.email"), { exact: true }).fill("boss@example.com");
      await page.getByLabel(t("setup.password"), { exact: true }).fill("the-first-hour-of-production");
      await page.getByRole("button", { name: t("setup.submit"), exact: true }).click();

      await expect(page.getByRole("heading", { name: t("setup.doneTitle") })).toBeVisible();
      const list = page.getByRole("list", { name: t("health.list") });
      const row = (name: string) =>
        list.getByRole("listitem").filter({ has: page.getByText(name, { exact: true }) });
      for (const part of [
        "address",
        "browser_clock",
        "database",
        "outgoing_mail",
        "storage",
        "proxies",
      ] as const)
        await expect(row(t(`health.rows.${part}`)).getByText(t("health.light.green"))).toBeVisible();
      // It is served without TLS on this machine.
      await expect(row(t("health.rows.https")).getByText(t("health.fixes.https"))).toBeVisible();
      await expectAccessible(page);

      await page.getByRole("link", { name: t("setup.open"), exact: true }).click();
      await arriveAt(page, /\/consents-needed/);
      await giveConsents(page, t);
      await page.getByRole("button", { name: t("auth.consentsNeeded.submit"), exact: true }).click();
      await page.waitForURL(/\/dashboard$/);
      // What customers cannot do without is red, and leads to its place.
      const waiting = page.getByRole("region", { name: t("overview.title"), exact: true });
      await expect(waiting.getByText(t("overview.no_bank"))).toBeVisible();
      await waiting
        .getByRole("link", { name: `${t("overview.show")}: ${t("overview.no_legal_texts")}`, exact: true })
        .click();
      await page
        .getByRole("link", { name: `${t("legalTexts.edit")}: ${t("consents.terms.title")}`, exact: true })
        .click();
      await page.getByLabel(t("legalTexts.versionName"), { exact: true }).fill("2027-01");
      for (const language of [LOCALE_LABELS.tr, LOCALE_LABELS.ar])
        await page.getByRole("textbox", { name: language }).fill(`${OWN_TERMS} ${language}`);
      await page.getByRole("button", { name: t("legalTexts.compare"), exact: true }).click();
      await expect(page.getByText(t("legalTexts.final"))).toBeVisible();
      await expect(page.getByText(t("legalTexts.asked", { count: 1 }))).toBeVisible();
      await expectAccessible(page);
      await page.getByRole("button", { name: t("legalTexts.publish"), exact: true }).click();

      // Whoever agreed to the former text reads and gives it again, the administrator first.
      await arriveAt(page, /\/consents-needed/);
      await context.close();
    } finally {
      await server.dispose();
      await mail.stop();
    }
  });
