import {
  expect,
  expectAccessible,
  expectPage,
  fillCode,
  LOOKS,
  open,
  orderPlan,
  test,
  tickConsents,
  toPath,
  waitForPage,
} from "./fixtures";

for (const look of [LOOKS[0], LOOKS[3]]) {
  test.describe(`${look.locale}, ${look.theme}`, () => {
    test.use({ look });

    test.describe("on a phone", () => {
      test.use({ viewport: { width: 390, height: 844 } });

      test("a user registers, signs in again, starts a trial, creates a site and orders a plan", {
        tag: look.locale === "tr" ? "@main" : [],
      }, async ({ page, newcomer, waitForMail, t }) => {
        await open(page, "/sign-up?ref=ARSLAN34");
        await expectPage(page, /\/sign-up/);
        await page.getByLabel(t("auth.signUp.name"), { exact: true }).fill(newcomer.name);
        await page.getByLabel(t("auth.signUp.phone"), { exact: true }).fill("0532 111 22 33");
        await page.getByLabel(t("auth.email"), { exact: true }).fill(newcomer.email);
        await page.getByLabel(t("auth.signUp.password"), { exact: true }).fill(newcomer.password);
        await tickConsents(page, t);
        await page.getByRole("button", { name: t("auth.signUp.submit"), exact: true }).click();
        await expectPage(page, /\/dashboard/);

        const mail = await waitForMail(newcomer.email, /https?:\S+\/verify-email\?token=\S+/);
        expect(mail.locale).toBe(look.locale);
        if (look.locale === "ar") {
          const { match: code } = await waitForMail(newcomer.email, /^\W*(\d{6})\W*$/m);
          // The code can be entered where the account learns that it is missing.
          for (const path of ["/sites/new", "/dashboard"]) {
            await open(page, path);
            await expectAccessible(page);
          }
          await fillCode(page.getByLabel(t("auth.verify.code"), { exact: true }), code);
          await expect(page.getByLabel(t("auth.verify.code"), { exact: true })).toHaveCount(0);
          await expectPage(page, /\/dashboard$/);
        } else {
          await open(page, toPath(mail.match));
          await expectPage(page, /\/verify-email$/);
          await page.getByRole("button", { name: t("auth.verify.confirm") }).click();
          await expect(page.getByRole("heading", { name: t("auth.verify.doneTitle") })).toBeVisible();
          await expectPage(page, /\/verify-email$/);
          await page.getByRole("link", { name: t("auth.verify.toDashboard") }).click();
        }
        await page.getByRole("button", { name: t("shell.userMenu") }).click();
        await page.getByRole("menuitem", { name: t("shell.signOut") }).click();
        await waitForPage(page, /\/sign-in/);
        await open(page, "/sites");
        await expectPage(page, /\/sign-in\?next=%2Fsites/);
        const passwordField = page.getByLabel(t("auth.signIn.password"), { exact: true });
        const submitButton = page.getByRole("button", { name: t("auth.signIn.submit"), exact: true });
        await page.getByLabel(t("auth.email"), { exact: true }).fill(newcomer.email);
        await passwordField.fill("wrong-password");
        await submitButton.click();
        const error = page.getByRole("alert").filter({ hasText: t("errors.credentials_wrong") });
        await expect(error).toBeVisible();
        await expect(passwordField).toHaveValue("");
        await passwordField.fill(newcomer.password);
        await submitButton.click();
        await expectPage(page, /\/sites$/);

        // A new account has no slot: it starts a trial or chooses a plan before it sees the form.
        await expect(page.getByRole("link", { name: t("sites.new.title"), exact: true })).toHaveCount(0);
        await page.getByRole("link", { name: t("sites.empty.plans"), exact: true }).click();
        await expectPage(page, /\/sites\/new/);
        const domainField = page.getByLabel(t("sites.form.domain"), { exact: true });
        await expect(domainField).toHaveCount(0);
        await expectAccessible(page);
        await page.getByRole("button", { name: t("billing.trial.start"), exact: true }).click();
        await expect(domainField).toBeVisible();
        await page.getByLabel(t("sites.form.name"), { exact: true }).fill("Çağrı Kitabevi");
        await domainField.fill(`deneme-${look.locale}.example.org`);
        await page.getByRole("button", { name: t("sites.new.submit") }).click();
        await expectPage(page, /\/sites\/\d+\?created=1$/);

        await open(page, "/dashboard");
        await page.getByRole("link", { name: t("billing.renewal.choose"), exact: true }).click();
        await waitForPage(page, /\/billing#plans$/);
        await expect(page.getByRole("heading", { name: t("billing.plans.first") })).toBeInViewport();
        await expect(page.getByText(t("billingState.subscription.trial"), { exact: true })).toBeVisible();
        await expect(page.getByRole("button", { name: t("billing.trial.start") })).toHaveCount(0);
        const replacedReference = await orderPlan(page, t, "Pro");
        await expectAccessible(page);

        // Another plan replaces the order, unless the user keeps it.
        await page.getByRole("link", { name: t("billing.pay.back"), exact: true }).click();
        await page.getByRole("link", { name: t("billing.subscription.choosePlan"), exact: true }).click();
        await page.getByRole("link", { name: `${t("sites.plans.choose")}: Premium`, exact: true }).click();
        await waitForPage(page, /\/billing\/checkout/);
        await expect(page.getByRole("checkbox", { checked: true })).toHaveCount(1);
        await expectAccessible(page);
        await page.getByRole("button", { name: t("billing.checkout.submit"), exact: true }).click();
        await waitForPage(page, /\/billing\/pay/);
        await open(page, "/billing");
        await expect(page.getByRole("button", { name: t("billing.order.cancel") })).toHaveCount(1);
        await expect(
          page.getByRole("button", { name: `${t("billing.order.cancel")}: Premium` }),
        ).toBeVisible();
        await open(page, `/billing/pay/${replacedReference}`);
        await expect(page.getByRole("heading", { level: 1 })).toHaveText(t("billing.pay.closed"));
        await expectAccessible(page);
      });
    });

    test(
      "a site is created, its code is shown at an address that survives a reload, and it is in the list",
      { tag: look.locale === "tr" ? "@main" : [] },
      async ({ page, signIn, t }, testInfo) => {
        await signIn(page, look.theme === "light" ? "customer@example.com" : "reseller@example.com");
        await open(page, "/sites/new");
        await expectPage(page, /\/sites\/new/);
        const domain = `e2e-${look.locale}-${look.theme}-${testInfo.retry}.example.org`;
        await page.getByLabel(t("sites.form.name"), { exact: true }).fill("Çağrı Kitabevi");
        await page.getByLabel(t("sites.form.domain"), { exact: true }).fill(`https://${domain}/`);
        if (look.theme === "dark") await page.getByRole("checkbox").first().check();
        await page.getByRole("button", { name: t("sites.new.submit") }).click();
        await expect(page.getByText(/data-key="dsk_[0-9A-Za-z]{49}"/)).toBeVisible();
        await expectPage(page, /\/sites\/\d+\?created=1$/);
        await expectAccessible(page);
        await open(page, page.url());
        await page.getByRole("tab", { name: "Tag Manager", exact: true }).click();
        await expect(page.getByText(/createElement\("script"\)[\s\S]*dsk_[0-9A-Za-z]{49}/)).toBeVisible();

        await open(page, "/sites");
        await expectPage(page, /\/sites$/);
        const row = page.getByRole("row").filter({ hasText: domain });
        await row.getByRole("link", { name: "Çağrı Kitabevi" }).click();
        await expectPage(page, /\/sites\/\d+/);
        await expect(page.getByText(domain).first()).toBeVisible();
      },
    );
  });
}

test("pages that an agent may not open show an explanation", async ({ page, signIn }) => {
  await signIn(page, "agent@example.com");
  await open(page, "/sites/1");
  await expectPage(page, /\/sites\/1/);
  for (const path of ["/sites/3", "/sites/999999", "/sites/new", "/no-such-page"]) {
    await open(page, path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expectAccessible(page);
  }
});
