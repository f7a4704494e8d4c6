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
const CUSTOMER_EMAIL = "customer2@example.com";
const CUSTOMER_NAME = "İbrahim Şahin";

test("a customer grants support access, a reseller impersonates them, and revoking it ends the visit", {
  tag: "@main",
}, async ({ page, browser, signIn, t }) => {
  const accessCard = page.getByRole("region", { name: t("supportAccess.title"), exact: true });
  await signIn(page, CUSTOMER_EMAIL);
  await open(page, "/settings/privacy");
  await accessCard.getByRole("radio", { name: t("supportAccess.period.7d"), exact: true }).check();
  await accessCard.getByRole("button", { name: t("supportAccess.save") }).click();
  await expect(page.getByText(t("responses.support_granted"))).toBeVisible();

  await clearSession(page);
  await signIn(page, "reseller@example.com");
  await open(page, "/reseller/customers");
  await page.getByRole("searchbox", { name: t("customers.search") }).fill(CUSTOMER_NAME);
  await page.getByRole("link", { name: CUSTOMER_NAME, exact: true }).click();
  await page.getByRole("button", { name: t("viewAs.open") }).click();
  const drawer = page.getByRole("dialog", { name: t("viewAs.open") });
  await drawer.getByLabel(t("viewAs.reason"), { exact: true }).fill("Sorusu vardı, birlikte bakıyoruz");
  await expectAccessible(page);
  await drawer.getByRole("button", { name: t("viewAs.start") }).click();
  await page.waitForURL(/\/dashboard/);
  const impersonationBanner = page.getByRole("region", { name: t("shell.viewAs.label"), exact: true });
  await expect(impersonationBanner).toContainText("Selin Arslan");
  await expect(impersonationBanner).toContainText(CUSTOMER_NAME);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);

  await open(page, "/settings/security");
  await expect(page.getByText(t("viewAs.closed.title"), { exact: true }).first()).toBeVisible();
  await open(page, "/settings/profile");
  await expect(page.getByLabel(t("settings.details.name"), { exact: true })).toHaveValue(CUSTOMER_NAME);

  const customerContext = await browser.newContext({ locale: "ar" });
  const customerPage = await customerContext.newPage();
  await signIn(customerPage, CUSTOMER_EMAIL);
  await open(customerPage, "/settings/privacy");
  const customerAccessCard = customerPage.getByRole("region", {
    name: t("supportAccess.title"),
    exact: true,
  });
  await expect(customerAccessCard.getByText(t("supportAccess.running"), { exact: true })).toBeVisible();
  await customerAccessCard.getByRole("radio", { name: t("supportAccess.period.off"), exact: true }).check();
  await customerAccessCard.getByRole("button", { name: t("supportAccess.save") }).click();
  await expect(customerPage.getByText(t("responses.support_revoked"))).toBeVisible();
  await customerContext.close();

  await open(page, "/sites");
  await expect(page.getByRole("heading", { name: t("viewAs.over.title") })).toBeVisible();
  await page.getByRole("button", { name: t("viewAs.over.back") }).click();
  await page.waitForURL(/\/dashboard/);
  await expect(page.getByText(CUSTOMER_NAME)).toHaveCount(0);
});
