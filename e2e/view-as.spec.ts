import {
  ARABIC_PHONE,
  clearSession,
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  open,
  test,
} from "./fixtures";

test.use(ARABIC_PHONE);
const email = "customer2@example.com";
const name = "İbrahim Şahin";

test("a customer grants support access, a reseller impersonates them, and revoking it ends the visit", {
  tag: "@main",
}, async ({ page, browser, signIn, t }) => {
  const access = page.getByRole("region", { name: t("supportAccess.title"), exact: true });
  await signIn(page, email);
  await open(page, "/settings/privacy");
  await access.getByRole("radio", { name: t("supportAccess.period.7d"), exact: true }).check();
  await access.getByRole("button", { name: t("supportAccess.save") }).click();
  await expect(page.getByText(t("responses.support_granted"))).toBeVisible();

  await clearSession(page);
  await signIn(page, "reseller@example.com");
  await open(page, "/reseller/customers");
  await page.getByRole("searchbox", { name: t("customers.search") }).fill(name);
  await page.getByRole("link", { name, exact: true }).click();
  await page.getByRole("button", { name: t("viewAs.open") }).click();
  const drawer = page.getByRole("dialog", { name: t("viewAs.open") });
  await drawer.getByLabel(t("viewAs.reason"), { exact: true }).fill("Sorusu vardı, birlikte bakıyoruz");
  await expectAccessible(page);
  await drawer.getByRole("button", { name: t("viewAs.start") }).click();
  await page.waitForURL(/\/dashboard/);
  const band = page.getByRole("region", { name: t("shell.viewAs.label"), exact: true });
  await expect(band).toContainText("Selin Arslan");
  await expect(band).toContainText(name);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);

  await open(page, "/settings/security");
  await expect(page.getByText(t("viewAs.closed.title"), { exact: true }).first()).toBeVisible();
  await open(page, "/settings/profile");
  await expect(page.getByLabel(t("settings.details.name"), { exact: true })).toHaveValue(name);

  const customerContext = await browser.newContext({ locale: "ar" });
  const customerPage = await customerContext.newPage();
  await signIn(customerPage, email);
  await open(customerPage, "/settings/privacy");
  const switchCard = customerPage.getByRole("region", { name: t("supportAccess.title"), exact: true });
  await expect(switchCard.getByText(t("supportAccess.running"), { exact: true })).toBeVisible();
  await switchCard.getByRole("radio", { name: t("supportAccess.period.off"), exact: true }).check();
  await switchCard.getByRole("button", { name: t("supportAccess.save") }).click();
  await expect(customerPage.getByText(t("responses.support_revoked"))).toBeVisible();
  await customerContext.close();

  await open(page, "/sites");
  await expect(page.getByRole("heading", { name: t("viewAs.over.title") })).toBeVisible();
  await page.getByRole("button", { name: t("viewAs.over.back") }).click();
  await page.waitForURL(/\/dashboard/);
  await expect(page.getByText(name)).toHaveCount(0);
});

test("a customer file is matched, previewed and imported", { tag: "@main" }, async ({ page, signIn, t }) => {
  const stamp = Date.now();
  await signIn(page, "reseller@example.com");
  await open(page, "/reseller/customers");
  await page.getByRole("link", { name: t("customers.import") }).click();
  await expect(page.getByRole("heading", { name: t("customerImport.title"), exact: true })).toBeVisible();
  await page
    .getByLabel(t("customerImport.file.label"))
    .last()
    .setInputFiles({
      name: "müşteriler.csv",
      mimeType: "text/csv",
      buffer: Buffer.from(
        `Adı;E-posta;Notlar\nYeni Biri;yeni.${stamp}@example.com;x\nBozuk;yok;y\nAyşe;customer@example.com;z\n`,
      ),
    });
  await expect(page.getByText(t("customerImport.preview.title"))).toBeVisible();
  await expect(page.getByText(t("customerImport.outcome.email_invalid"))).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.getByRole("button", { name: t("customerImport.preview.run") }).click();
  await expect(page.getByText(t("customerImport.outcome.has_account"))).toBeVisible();
  await expect(page.getByText(t("customerImport.outcome.invited"), { exact: true })).toBeVisible();
  await page.reload();
  await expect(page.getByText(t("customerImport.outcome.has_account"))).toBeVisible();
});
