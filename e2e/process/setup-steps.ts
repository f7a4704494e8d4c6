import { expect, type Page } from "@playwright/test";
import { LOCALE_LABELS } from "@/server/core/locale";
import { expectAccessible, open } from "../fixtures";
import type { ServerProcess } from "../server-process";
import type { Translator } from "../translator";

/* Steps of the first administrator of an empty production installation, in the browser. */

/** Contains a placeholder and a tag, which must be shown verbatim. */
const TERMS_TEXT = "1. {operator} <b>'s</b>";
const SETUP_LINK = /\/setup\?token=dsf_\w+/;

export async function completeSetup(
  page: Page,
  server: ServerProcess,
  { t, email, password }: { t: Translator; email: string; password: string },
): Promise<void> {
  await expect.poll(() => server.output).toMatch(SETUP_LINK);
  await open(page, "/");
  await page.getByRole("link", { name: t("auth.signIn.setupAction") }).click();
  await expect(page.getByRole("heading", { name: t("setup.waitTitle") })).toBeVisible();
  await open(page, "/setup?token=dsf_wrong");
  await expect(page.getByRole("heading", { name: t("setup.deadTitle") })).toBeVisible();

  await open(page, SETUP_LINK.exec(server.output)![0]);
  await expectAccessible(page);
  await page.getByLabel(t("setup.name"), { exact: true }).fill("Deniz Yılmaz");
  await page.getByLabel(t("auth.email"), { exact: true }).fill(email);
  await page.getByLabel(t("setup.password"), { exact: true }).fill(password);
  await page.getByRole("button", { name: t("setup.submit"), exact: true }).click();

  await expect(page.getByRole("heading", { name: t("setup.doneTitle") })).toBeVisible();
  const list = page.getByRole("list", { name: t("health.list") });
  const row = (name: string) =>
    list.getByRole("listitem").filter({ has: page.getByText(name, { exact: true }) });
  for (const rowKey of [
    "address",
    "browser_clock",
    "database",
    "outgoing_mail",
    "storage",
    "proxies",
  ] as const)
    await expect(row(t(`health.rows.${rowKey}`)).getByText(t("health.light.green"))).toBeVisible();
  await expect(row(t("health.rows.https")).getByText(t("health.fixes.https"))).toBeVisible();
  await expectAccessible(page);

  await page.getByRole("link", { name: t("setup.open"), exact: true }).click();
  // Administrators are not asked for consents, so the panel opens directly.
  await page.waitForURL(/\/dashboard$/);
}

export async function publishTerms(page: Page, t: Translator): Promise<void> {
  const overview = page.getByRole("region", { name: t("overview.title"), exact: true });
  await expect(overview.getByText(t("overview.no_bank"))).toBeVisible();
  await overview
    .getByRole("link", { name: `${t("overview.show")}: ${t("overview.no_legal_texts")}`, exact: true })
    .click();
  await page
    .getByRole("link", { name: `${t("legalTexts.edit")}: ${t("consents.terms.title")}`, exact: true })
    .click();
  await page.getByLabel(t("legalTexts.versionName"), { exact: true }).fill("2027-01");
  for (const language of [LOCALE_LABELS.tr, LOCALE_LABELS.ar])
    await page.getByRole("textbox", { name: language }).fill(`${TERMS_TEXT} ${language}`);
  await page.getByRole("button", { name: t("legalTexts.compare"), exact: true }).click();
  await expect(page.getByText(t("legalTexts.final"))).toBeVisible();
  await expect(page.getByText(t("legalTexts.asked", { count: 0 }))).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: t("legalTexts.publish"), exact: true }).click();
  await page.waitForURL(/\/admin\/legal-texts$/);
}

export async function setBankDetails(page: Page, t: Translator): Promise<void> {
  await open(page, "/admin/settings");
  const bankForm = page.getByRole("region", { name: t("platformSettings.bank.title"), exact: true });
  await bankForm.getByLabel(t("platformSettings.bank.holder"), { exact: true }).fill("Tellal A.Ş.");
  await bankForm
    .getByLabel(t("platformSettings.bank.iban"), { exact: true })
    .fill("TR330006100519786457841326");
  await bankForm.getByLabel(t("platformSettings.bank.bank"), { exact: true }).fill("Örnek Bankası");
  await bankForm.getByRole("button", { name: t("platformSettings.bank.save") }).click();
  await expect(bankForm.getByText(/Deniz Yılmaz/)).toBeVisible();
}

export async function setPlanPrice(
  page: Page,
  t: Translator,
  { plan, price }: { plan: string; price: number },
): Promise<void> {
  await open(page, "/admin/plans");
  await page.getByRole("button", { name: `${t("billingAdmin.plans.edit")}: ${plan}`, exact: true }).click();
  const form = page.getByRole("dialog", { name: plan });
  await form.getByLabel(t("billingAdmin.plans.price"), { exact: true }).fill(String(price));
  await form.getByRole("button", { name: t("billingAdmin.plans.save") }).click();
  await expect(form).toHaveCount(0);
}
