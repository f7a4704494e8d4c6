import { expect, expectAccessible, open, test, toPath, waitForPage } from "./fixtures";

const PASSWORD = "demo-password";

test.use({ viewport: { width: 390, height: 844 } });

test("a new reseller signs the agreement, sets the brand, joins the programme and invites a customer", {
  tag: "@main",
}, async ({ page, request, origin, waitForMail, signIn, t }) => {
  await signIn(page, "unsigned@example.com");
  await open(page, "/dashboard");
  const agreementLink = page.getByRole("link", { name: t("agreement.open"), exact: true });
  await expect(agreementLink, "once on a page").toHaveCount(1);
  await open(page, "/sites");
  await expect(agreementLink).toHaveCount(1);
  for (const path of [
    "/reseller/customers",
    "/reseller/referral",
    "/reseller/branding",
    "/reseller/mail",
    "/sites/new",
  ]) {
    await open(page, path);
    await expect(page.getByText(t("agreement.gateTitle"))).toBeVisible();
  }
  await open(page, "/reseller/agreement");
  await expectAccessible(page);
  const agreementText = page.getByRole("region", { name: t("agreement.title"), exact: true }).last();
  await agreementText.focus();
  await page.keyboard.press("End");
  const signForm = page.getByRole("region", { name: t("agreement.sign"), exact: true });
  await signForm.getByLabel(t("agreement.name"), { exact: true }).fill("ece aydın");
  await signForm.getByLabel(t("agreement.accept")).check();
  await signForm.getByRole("button", { name: t("agreement.sign") }).click();
  await expect(page.getByRole("heading", { name: t("agreement.signatures") })).toBeVisible();

  await open(page, "/reseller/customers");
  await expect(page.getByText(t("customers.empty"))).toBeVisible();

  await open(page, "/reseller/branding");
  const brandForm = page.getByRole("region", { name: t("branding.card"), exact: true });
  await brandForm.getByLabel(t("branding.name"), { exact: true }).fill("İlk Gün");
  await brandForm.getByLabel(t("branding.supportEmail"), { exact: false }).fill("destek@ilkgun.example.com");
  await brandForm.getByLabel(t("branding.supportPhone"), { exact: false }).fill("+90 312 555 00 34");
  await brandForm.getByRole("button", { name: t("branding.save"), exact: true }).click();
  await expect(page.getByText(t("responses.brand_saved")).first()).toBeVisible();

  await open(page, "/reseller/referral");
  const programmeForm = page.getByRole("region", { name: t("referral.settings"), exact: true });
  await programmeForm.getByRole("checkbox", { name: t("referral.joined") }).check();
  await programmeForm
    .getByLabel(t("referral.code"), { exact: true })
    .fill(`ILK${Date.now() % 1_000_000_000}`);
  await programmeForm.getByLabel(t("referral.name"), { exact: true }).fill("İlk Gün Ajans");
  await programmeForm.getByLabel(t("referral.city"), { exact: true }).fill("Bursa");
  await programmeForm.getByRole("button", { name: t("referral.save") }).click();
  await expect(page.getByText(t("responses.referral_saved"))).toBeVisible();

  const email = `ilk.${Date.now()}@example.com`;
  const name = "Çiğdem Öz";
  await open(page, "/reseller/customers");
  await page
    .getByRole("button", { name: t("customers.invite.open") })
    .first()
    .click();
  const drawer = page.getByRole("dialog", { name: t("customers.invite.open") });
  await drawer.getByLabel(t("team.invite.name"), { exact: true }).fill(name);
  await drawer.getByLabel(t("team.invite.email"), { exact: true }).fill(email);
  await drawer.getByRole("button", { name: t("team.invite.submit") }).click();
  await expect(page.getByText(email)).toBeVisible();
  const mail = await waitForMail(email, /https?:\S+token=\S+/);
  expect(mail.text).toContain("İlk Gün");
  expect(mail.text).toContain("destek@ilkgun.example.com");
  const consents = { terms: true, privacy: true, yurtdisi: true, cagri_kayit: true, marketing: false };
  const acceptResponse = await request.post(`${origin}/api/auth/accept-invitation`, {
    data: {
      token: new URL(`${origin}${toPath(mail.match)}`).searchParams.get("token"),
      ...{ name, phone: "+905321112244", password: PASSWORD, password_confirmation: PASSWORD, consents },
    },
  });
  expect(acceptResponse.ok(), await acceptResponse.text()).toBe(true);
  const { token } = await acceptResponse.json();
  const accessResponse = await request.put(`${origin}/api/profile/support-access`, {
    headers: { authorization: `Bearer ${token}` },
    data: { until: "1d" },
  });
  expect(accessResponse.ok(), await accessResponse.text()).toBe(true);

  await open(page, "/reseller/customers");
  await expect(page.getByRole("status").getByText(t("customers.found", { count: 1 }))).toBeVisible();
  await page.getByRole("link", { name, exact: true }).click();
  await page.getByRole("button", { name: t("viewAs.open") }).click();
  const impersonationDialog = page.getByRole("dialog", { name: t("viewAs.open") });
  await impersonationDialog
    .getByLabel(t("viewAs.reason"), { exact: true })
    .fill("İlk kurulum için birlikte bakıyoruz");
  await impersonationDialog.getByRole("button", { name: t("viewAs.start") }).click();
  await waitForPage(page, /\/dashboard/);
  const impersonationBanner = page.getByRole("region", { name: t("shell.viewAs.label"), exact: true });
  await expect(impersonationBanner).toContainText(name);

  await open(page, "/settings/profile");
  await page.mouse.wheel(0, 4000);
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(100);
  await expect(impersonationBanner).toBeInViewport({ ratio: 1 });
  const nameField = page.getByLabel(t("settings.details.name"), { exact: true });
  await nameField.focus();
  await expect(nameField).toBeInViewport({ ratio: 1 });
  const [bannerBox, fieldBox] = [await impersonationBanner.boundingBox(), await nameField.boundingBox()];
  expect(fieldBox!.y).toBeGreaterThanOrEqual(bannerBox!.y + bannerBox!.height);
});
