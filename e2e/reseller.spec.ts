import { ARABIC, clearSession, expect, expectAccessible, expectPage, open, test } from "./fixtures";

test.use(ARABIC);

test("a reseller finds a customer, adds a note, deactivates and activates the account, and invites another", {
  tag: "@main",
}, async ({ page, signIn, t }) => {
  await signIn(page, "reseller@example.com");
  await open(page, "/reseller/customers");
  await page.getByRole("searchbox", { name: t("customers.search") }).fill("IŞIL çelik");
  await expect(page.getByRole("status").getByText(t("customers.found", { count: 1 }))).toBeVisible();
  await page.getByRole("link", { name: "Işıl Çelik", exact: true }).click();
  await expectPage(page, /\/reseller\/customers\/\d+$/);

  await page.getByRole("tab", { name: t("customers.tabs.notes"), exact: true }).click();
  const notesCard = page.getByRole("region", { name: t("customers.notes.title"), exact: true });
  const note = `Not ${Date.now()}`;
  await notesCard.getByLabel(t("customers.notes.label")).last().fill(note);
  await notesCard.getByRole("button", { name: t("customers.notes.add") }).click();
  await expect(notesCard.getByRole("listitem").filter({ hasText: note })).toBeVisible();

  await page.getByRole("tab", { name: t("customers.tabs.overview"), exact: true }).click();
  for (const action of ["deactivate", "activate"] as const) {
    const statusCard = page.getByRole("region", { name: t("customers.status.title"), exact: true });
    const button = statusCard.getByRole("button", { name: t(`customers.status.${action}`), exact: true });
    await button.click();
    await statusCard.getByLabel(t("customers.status.reason"), { exact: true }).fill("Kendisi istedi");
    await button.click();
    const oppositeAction = action === "deactivate" ? "activate" : "deactivate";
    await expect(
      statusCard.getByRole("button", { name: t(`customers.status.${oppositeAction}`), exact: true }),
    ).toBeVisible();
  }

  await open(page, "/reseller/customers");
  await page.getByRole("button", { name: t("customers.invite.open") }).click();
  const drawer = page.getByRole("dialog", { name: t("customers.invite.open") });
  const email = `davetli.${Date.now()}@example.com`;
  await drawer.getByLabel(t("team.invite.name"), { exact: true }).fill("Yeni Müşteri");
  await drawer.getByLabel(t("team.invite.email"), { exact: true }).fill(email);
  await drawer.getByRole("button", { name: t("team.invite.submit") }).click();
  await expect(page.getByText(email)).toBeVisible();
});

test("a reseller of the referral programme is found by city at sign-up", async ({ page, signIn, t }) => {
  await signIn(page, "reseller@example.com");
  await open(page, "/reseller/referral");
  const form = page.getByRole("region", { name: t("referral.settings"), exact: true });
  await form.getByLabel(t("referral.city"), { exact: true }).fill("Çankırı");
  await form.getByRole("button", { name: t("referral.save") }).click();
  await expect(page.getByText(t("responses.referral_saved"))).toBeVisible();

  await clearSession(page);
  await open(page, "/sign-up");
  await page.getByText(t("auth.signUp.details")).click();
  await page.getByLabel(t("auth.signUp.findReseller")).fill("cankiri");
  await page.getByRole("button", { name: /Arslan Ajans/ }).click();
  await expect(page.getByLabel(t("auth.signUp.referralCode"), { exact: false })).toHaveValue("ARSLAN34");
  await expectAccessible(page);
});
