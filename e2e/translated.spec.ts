import type { Locator, Page } from "@playwright/test";
import { expect, test, tickConsents, toPath } from "./fixtures";
import { openTranslated } from "./page-translation";

/* Pages translated by the browser. The `page` fixture fails a test if its page logged or threw an error. */

test("a wrong password is reported on a translated page, and the right one signs in", {
  tag: "@main",
}, async ({ page, member, t }) => {
  await openTranslated(page, "/sign-in?next=%2Fsettings%2Fprofile");
  const passwordField = page.getByLabel(t("auth.signIn.password"), { exact: true });
  const submitButton = page.getByRole("button", { name: t("auth.signIn.submit"), exact: true });
  await submitButton.click();
  await expect(
    page.getByText(t("validation.required", { attribute: t("auth.email") })).first(),
  ).toBeVisible();
  await page.getByLabel(t("auth.email"), { exact: true }).fill(member.email);
  for (const wrongPassword of ["wrong-password", "wrong-again"]) {
    await passwordField.fill(wrongPassword);
    await submitButton.click();
    await expect(page.getByRole("alert").filter({ hasText: t("errors.credentials_wrong") })).toBeVisible();
    await expect(passwordField).toHaveValue("");
  }
  await passwordField.fill(member.password);
  await submitButton.click();
  await expect(page).toHaveURL(/\/settings\/profile$/);
});

test("a user requests a reset link and sets a new password on translated pages", async ({
  page,
  member,
  waitForMail,
  t,
}) => {
  await openTranslated(page, "/forgot-password");
  await page.getByLabel(t("auth.email"), { exact: true }).fill(member.email);
  await page.getByRole("button", { name: t("auth.forgot.submit"), exact: true }).click();
  await expect(page.getByRole("heading", { name: t("auth.forgot.sentTitle") })).toBeVisible();
  const { match: link } = await waitForMail(member.email, /https?:\S+\/reset-password\S+/);
  await openTranslated(page, toPath(link));
  const [passwordField] = await page.getByLabel(t("auth.reset.password"), { exact: true }).all();
  await passwordField!.fill("short");
  await page.getByRole("button", { name: t("auth.reset.submit"), exact: true }).click();
  await expect(passwordField!).toHaveAttribute("aria-invalid", "true");
  await passwordField!.fill(`${member.password}-2`);
  await page.getByRole("button", { name: t("auth.reset.submit"), exact: true }).click();
  await expect(page).toHaveURL(/\/dashboard/);
});

test("a user registers on a translated page", async ({ page, newcomer, t }) => {
  await openTranslated(page, "/sign-up?ref=ARSLAN34");
  const submitButton = page.getByRole("button", { name: t("auth.signUp.submit"), exact: true });
  await submitButton.click();
  await expect(
    page.getByText(t("validation.required", { attribute: t("auth.email") })).first(),
  ).toBeVisible();
  await page.getByLabel(t("auth.signUp.name"), { exact: true }).fill(newcomer.name);
  await page.getByLabel(t("auth.signUp.phone"), { exact: true }).fill("0532 111 22 33");
  await page.getByLabel(t("auth.email"), { exact: true }).fill(newcomer.email);
  await page.getByLabel(t("auth.signUp.password"), { exact: true }).fill(newcomer.password);
  await tickConsents(page, t);
  await submitButton.click();
  await expect(page).toHaveURL(/\/dashboard/);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
});

test("a profile is saved on a translated page", async ({ page, member, signIn, t }) => {
  await signIn(page, member.email, member.password);
  await openTranslated(page, "/settings/profile");
  const details = page.getByRole("form", { name: t("settings.details.title") });
  const nameField = details.getByLabel(t("settings.details.name"), { exact: true });
  const saveButton = details.getByRole("button", { name: t("settings.details.save") });
  await nameField.fill("");
  await saveButton.click();
  await expect(nameField).toHaveAttribute("aria-invalid", "true");
  for (const newName of ["Işıl Çağlar Öz", "Işıl Öz"]) {
    await nameField.fill(newName);
    await saveButton.click();
    await expect(page.getByText(t("responses.profile_saved")).first()).toBeVisible();
    await expect(page.getByRole("banner").getByText(newName).first()).toBeVisible();
  }
  await details.getByLabel(t("settings.details.email"), { exact: true }).fill("new@example.com");
  await expect(details.getByText(/72 saat/)).toBeVisible();
});

test("a site is added on a translated page", async ({ page, server, signIn, t }) => {
  await signIn(page, "customer@example.com");
  await openTranslated(page, "/sites/new");
  const domainField = page.getByLabel(t("sites.form.domain"), { exact: true });
  const submitButton = page.getByRole("button", { name: t("sites.new.submit"), exact: true });
  await page.getByLabel(t("sites.form.name"), { exact: true }).fill("Çeviri");
  await domainField.fill("kayakahve.example.com");
  await submitButton.click();
  await expect(domainField).toHaveAttribute("aria-invalid", "true");
  await domainField.fill("ceviri.example.com");
  await submitButton.click();
  await expect(page.getByText("ceviri.example.com").first()).toBeVisible();
  await server.sql("delete from sites where domain = 'ceviri.example.com'");
});

/** Routes to open, by account. The value is SQL that selects the record for `[id]`; empty without one. */
const PAGES_BY_ACCOUNT: Record<string, Record<string, string>> = {
  "customer@example.com": {
    "/dashboard": "",
    "/sites": "",
    "/sites/[id]": "select id from sites where domain = 'kayakahve.example.com'",
    "/connections": "",
    "/connections/new": "",
    "/connections/[id]/reconnect": "select id from connections where label = '@kayakahve_bot'",
    "/media": "",
    "/snippets": "",
    "/team": "",
    "/billing": "",
    "/developers/keys": "",
    "/developers/webhooks": "",
    "/developers/webhooks/[id]": "select id from webhook_endpoints order by id limit 1",
    "/settings/profile": "",
    "/settings/security": "",
    "/settings/security/activity": "",
    "/settings/consents": "",
    "/settings/privacy": "",
    "/settings/mail": "",
    "/settings/menu": "",
  },
  "reseller@example.com": {
    "/reseller/branding": "",
    "/reseller/customers": "",
    "/reseller/customers/[id]": "select id from users where email = 'customer1@example.com'",
    "/reseller/customers/import": "",
    "/reseller/licences": "",
    "/reseller/mail": "",
    "/reseller/referral": "",
  },
  "admin@example.com": {
    "/admin/accounting": "",
    "/admin/audit": "",
    "/admin/gates": "",
    "/admin/health": "",
    "/admin/jobs": "",
    "/admin/legal-texts": "",
    "/admin/mails": "",
    "/admin/payments": "",
    "/admin/payouts": "",
    "/admin/plans": "",
    "/admin/settings": "",
    "/admin/sign-ups": "",
    "/admin/subscriptions/activate": "",
    "/admin/users": "",
    "/admin/users/[id]": "select id from users where email = 'customer1@example.com'",
  },
};

for (const [email, pages] of Object.entries(PAGES_BY_ACCOUNT))
  test(`tabs, dialogs, menus and lists of ${email.split("@")[0]} work on translated pages`, async ({
    page,
    server,
    signIn,
  }) => {
    test.slow();
    await signIn(page, email);
    for (const [route, sql] of Object.entries(pages)) {
      const [row] = sql ? await server.sql<{ id: number }>(sql) : [];
      await test.step(route, () => exercisePage(page, route.replace("[id]", String(row?.id))));
    }
  });

async function exercisePage(page: Page, address: string): Promise<void> {
  await openTranslated(page, address);
  await exerciseControls(page, page.getByRole("main"));
  for (const tab of (await page.getByRole("main").getByRole("tab").all()).slice(1)) {
    await tab.click();
    await expect(tab).toHaveAttribute("aria-selected", "true");
    await exerciseControls(page, page.getByRole("tabpanel"));
  }
  await page.getByRole("banner").locator("button[aria-haspopup=menu]").last().click();
  await expect(page.getByRole("menu")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("menu")).toHaveCount(0);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
}

async function exerciseControls(page: Page, scope: Locator): Promise<void> {
  // By CSS, because `aria-haspopup` has no role. In lists, only the first row is opened.
  const openers = scope.locator(
    ":is(button[aria-haspopup=dialog], button[aria-haspopup=menu], button[role=combobox]):not(:has(time), tr:not(:first-child) *, li:not(:first-child) *)",
  );
  // A closed select may keep its list in the document.
  const popups = page
    .locator("[role=dialog], [role=alertdialog], [role=menu], [role=listbox]")
    .filter({ visible: true });
  for (const opener of await openers.all()) {
    if (!(await opener.isVisible()) || !(await opener.isEnabled())) continue;
    await opener.focus();
    await page.keyboard.press("Enter");
    await expect(popups.first()).toBeVisible();
    // A popup that is still loading ignores the key.
    await expect(async () => {
      await page.keyboard.press("Escape");
      await expect(popups).toHaveCount(0, { timeout: 2000 });
    }).toPass();
  }
  const search = scope.getByRole("searchbox").first();
  if (await search.isVisible()) {
    for (const query of ["no-such-name", ""]) {
      await search.fill(query);
      await expect(scope.locator("table[aria-busy=true]")).toHaveCount(0);
    }
  }
  for (const sortButton of await scope.getByRole("columnheader").getByRole("button").all()) {
    if (!(await sortButton.isVisible())) continue;
    for (const _direction of ["asc", "desc"]) await sortButton.click();
    await expect(scope.locator("table[aria-busy=true]")).toHaveCount(0);
  }
  await retypeFields(scope.locator("form").first());
}

async function retypeFields(scope: Locator): Promise<void> {
  const fields = scope.locator(
    "input:is([type=text], [type=email], [type=tel], [type=url], :not([type])), textarea",
  );
  for (const field of await fields.all()) {
    if (!(await field.isVisible()) || !(await field.isEditable())) continue;
    const original = await field.inputValue();
    await field.fill("?");
    await field.blur();
    await field.fill("");
    await field.blur();
    await field.fill(original);
  }
}
