import { setTimeout as sleep } from "node:timers/promises";
import { expect, expectAccessible, expectPage, open, orderPlan, test, waitForPage } from "./fixtures";

test("an order is paid, activated by an administrator and reversed", { tag: "@main" }, async ({
  page,
  signIn,
  member,
  t,
}) => {
  await signIn(page, member.email, member.password);
  await open(page, "/billing");
  const reference = await orderPlan(page, t, "Pro");
  await expectAccessible(page);

  await signIn(page, "admin@example.com");
  const planSelect = page.getByRole("combobox", { name: t("billingAdmin.activation.terms.plan") });
  await open(page, "/admin/subscriptions?status=expired");
  await page
    .getByRole("link", { name: new RegExp(`^${t("billingAdmin.subscriptions.activateAgain")}`) })
    .first()
    .click();
  await expectPage(page, /\/admin\/subscriptions\/activate/);
  await expect(planSelect, "the plan of the expired subscription").toHaveText(/₺/);

  await open(page, "/admin/subscriptions");
  await page.getByRole("searchbox", { name: t("billingAdmin.subscriptions.search") }).fill(reference);
  await expect(
    page.getByRole("status").getByText(t("billingAdmin.subscriptions.found", { count: 1 })),
  ).toBeVisible();
  const activateLink = page.getByRole("link", {
    name: `${t("billingAdmin.subscriptions.activate")}: ${member.name}`,
  });
  await activateLink.click();
  await expectPage(page, /\/admin\/subscriptions\/activate/);
  await expect(planSelect).toHaveText(/Pro/);
  await page.getByLabel(t("billingAdmin.transfer.bankReference")).fill(reference);
  await page.getByRole("button", { name: t("billingAdmin.activation.terms.next") }).click();
  await expect(page.getByText(t("billingAdmin.activation.review.text"))).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: t("billingAdmin.activation.review.submit"), exact: true }).click();
  await expect(page.getByText(t("billingAdmin.activation.done.title", { plan: "Pro" }))).toBeVisible();

  await signIn(page, member.email, member.password);
  await open(page, "/billing");
  const planCard = page.getByRole("region", { name: "Pro", exact: true });
  await expect(planCard.getByText(t("billingState.subscription.active"), { exact: true })).toBeVisible();

  await signIn(page, "admin@example.com");
  await open(page, "/admin/payments");
  await page.getByRole("searchbox", { name: t("billingAdmin.payments.search") }).fill(reference);
  await expect(
    page.getByRole("status").getByText(t("billingAdmin.payments.found", { count: 1 })),
  ).toBeVisible();
  await page.getByRole("button", { name: t("billingAdmin.payments.open", { name: member.name }) }).click();
  const paymentDialog = page.getByRole("dialog", { name: member.name });
  await expect(page).toHaveURL(/[?&]peek=\d+/);
  await paymentDialog.getByRole("button", { name: t("billingAdmin.payments.reverse.open") }).click();
  await paymentDialog
    .getByLabel(t("billingAdmin.payments.reverse.reason"), { exact: true })
    .fill("Geri alındı");
  const word = t("billingAdmin.payments.reverse.word");
  await paymentDialog
    .getByLabel(t("billingAdmin.payments.reverse.confirm", { word }), { exact: true })
    .fill(word);
  await expectAccessible(page);
  await paymentDialog.getByRole("button", { name: t("billingAdmin.payments.reverse.submit") }).click();
  await expect(page.getByRole("table").getByText(t("billingAdmin.payments.is.reversed"))).toBeVisible();
});

test("an administrator sets the bank details and edits a plan", { tag: "@main" }, async ({
  page,
  signIn,
  t,
}) => {
  await signIn(page, "admin@example.com");
  await open(page, "/admin/settings");
  const bankForm = page.getByRole("region", { name: t("platformSettings.bank.title"), exact: true });
  await bankForm.getByLabel(t("platformSettings.bank.holder"), { exact: true }).fill("Tellal Yazılım A.Ş.");
  await bankForm
    .getByLabel(t("platformSettings.bank.iban"), { exact: true })
    .fill("TR33 0006 1005 1978 6457 8413 26");
  await bankForm.getByLabel(t("platformSettings.bank.bank"), { exact: true }).fill("Örnek Bankası");
  await bankForm.getByRole("button", { name: t("platformSettings.bank.save") }).click();
  await expect(page.getByText(t("responses.settings_saved"))).toBeVisible();
  await expect(bankForm.getByText(/Deniz Yılmaz/)).toBeVisible();

  await open(page, "/admin/plans");
  await page.getByRole("button", { name: `${t("billingAdmin.plans.edit")}: Ultimate` }).click();
  const planDialog = page.getByRole("dialog", { name: "Ultimate" });
  await planDialog.getByLabel(t("billingAdmin.plans.credits"), { exact: true }).fill("150001");
  await planDialog.getByRole("button", { name: t("billingAdmin.plans.save") }).click();
  await expect(page.getByRole("table").getByText(/150.001/)).toBeVisible();

  await page.getByRole("button", { name: `${t("billingAdmin.plans.edit")}: Ultimate` }).click();
  await planDialog.getByRole("tab", { name: t("billingAdmin.plans.parts.texts") }).click();
  await planDialog.getByLabel(t("billingAdmin.plans.texts.language"), { exact: true }).selectOption("de");
  await planDialog.getByLabel(t("billingAdmin.plans.texts.description")).fill("Für die Größten.");
  await planDialog
    .getByRole("textbox", { name: t("billingAdmin.plans.texts.features") })
    .fill("Alles\n\nUnd mehr");
  await expectAccessible(page);
  await planDialog.getByRole("button", { name: t("billingAdmin.plans.save") }).click();
  await expect(planDialog).toHaveCount(0);
  await open(page, "/admin/plans");
  await page.getByRole("button", { name: `${t("billingAdmin.plans.edit")}: Ultimate` }).click();
  await planDialog.getByRole("tab", { name: t("billingAdmin.plans.parts.texts") }).click();
  await planDialog.getByLabel(t("billingAdmin.plans.texts.language"), { exact: true }).selectOption("de");
  await expect(planDialog.getByRole("textbox", { name: t("billingAdmin.plans.texts.features") })).toHaveValue(
    "Alles\nUnd mehr",
  );
});

test("a reseller sees licences and amounts due, an agent sees no billing", { tag: "@main" }, async ({
  page,
  signIn,
  t,
}) => {
  await signIn(page, "reseller@example.com");
  await open(page, "/billing?tab=licences");
  await expect(page.getByRole("region", { name: t("billing.licences.title"), exact: true })).toBeVisible();
  await open(page, "/reseller/licences");
  await expectPage(page, /\/reseller\/licences$/);
  const search = page.getByRole("searchbox", { name: t("billing.licences.search") });
  await search.fill("yok-böyle-bir-site");
  await expect(page.getByRole("heading", { name: t("billing.licences.noMatch") })).toBeVisible();
  await search.fill("");
  await expect(
    page.getByRole("button", { name: new RegExp(`^${t("billing.licences.pay")}`) }).first(),
  ).toBeVisible();
  await open(page, "/dashboard");
  const amountsDue = page.getByRole("region", { name: t("dashboard.attention.title"), exact: true });
  await expect(amountsDue.getByText(/^L\d{8}$/).first()).toBeVisible();
  await signIn(page, "agent@example.com");
  await open(page, "/billing");
  await expect(page.getByRole("heading", { name: t("billing.forbidden.title") })).toBeVisible();
});

test("a link clicked right after typing into a search opens its page without the search in the URL", async ({
  page,
  signIn,
  t,
}) => {
  await signIn(page, "admin@example.com");
  await open(page, "/admin/subscriptions");
  // Slower than the debounce that writes the search into the URL.
  await page.route(/\/admin\/subscriptions\/activate/, async (route) => {
    await sleep(1000);
    await route.continue();
  });
  await page.getByRole("searchbox", { name: t("billingAdmin.subscriptions.search") }).fill("example");
  await page.getByRole("link", { name: t("billingAdmin.subscriptions.new"), exact: true }).click();
  await waitForPage(page, /\/admin\/subscriptions\/activate/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(t("billingAdmin.activation.title"));
  expect(new URL(page.url()).search).toBe("");
});
