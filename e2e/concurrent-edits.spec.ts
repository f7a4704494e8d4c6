import type { Page } from "@playwright/test";
import { expect, expectAccessible, expectNoSidewaysScroll, LOOKS, open, test, waitForPage } from "./fixtures";

test("a profile changed in another tab is reloaded or overwritten by choice", async ({
  page,
  context,
  member,
  submitSignInForm,
  t,
}) => {
  await submitSignInForm(member, "/settings/profile");
  await waitForPage(page, /\/settings\/profile/);
  const otherPage = await context.newPage();
  await open(otherPage, "/settings/profile");

  const form = (tab: Page) => tab.getByRole("form", { name: t("settings.details.title") });
  const nameField = (tab: Page) => form(tab).getByLabel(t("settings.details.name"), { exact: true });
  const phoneField = (tab: Page) => form(tab).getByLabel(t("auth.signUp.phone"), { exact: true });
  const save = (tab: Page) =>
    form(tab)
      .getByRole("button", { name: t("settings.details.save") })
      .click();
  const expectInBanner = (tab: Page, text: string) =>
    expect(tab.getByRole("banner").getByText(text)).toBeVisible();

  await nameField(otherPage).fill("Işıl Öz");
  await save(otherPage);
  await expectInBanner(otherPage, "Işıl Öz");

  await phoneField(page).fill("+905324445566");
  await save(page);
  await expect(nameField(page), "changes of different fields are merged").toHaveValue("Işıl Öz");
  await expectInBanner(page, "Işıl Öz");

  await nameField(otherPage).fill("Işıl Ak");
  await save(otherPage);
  await expectInBanner(otherPage, "Işıl Ak");
  await nameField(page).fill("Işıl Kara");
  await save(page);
  const staleAlert = form(page)
    .getByRole("alert")
    .filter({ hasText: t("errors.stale") });
  await expect(staleAlert).toBeVisible();
  await expect(nameField(page), "typed text is kept").toHaveValue("Işıl Kara");
  await expectAccessible(page);
  await staleAlert.getByRole("button", { name: t("ui.form.stale.load") }).click();
  await expect(staleAlert).toHaveCount(0);
  await expect(nameField(page)).toHaveValue("Işıl Ak");
  await expect(nameField(page), "focus is kept").toBeFocused();

  await nameField(otherPage).fill("Işıl Mavi");
  await save(otherPage);
  await expectInBanner(otherPage, "Işıl Mavi");
  await nameField(page).fill("Işıl Kara");
  await save(page);
  await staleAlert.getByRole("button", { name: t("ui.form.stale.keep") }).click();
  await expectInBanner(page, "Işıl Kara");
  await expect(staleAlert).toHaveCount(0);
  await open(otherPage, "/settings/profile");
  await expect(nameField(otherPage)).toHaveValue("Işıl Kara");
  await expect(phoneField(otherPage)).toHaveValue("+905324445566");
});

test("bank details changed in another tab are not overwritten unseen", async ({
  page,
  context,
  signIn,
  t,
}) => {
  await signIn(page, "admin@example.com");
  const otherPage = await context.newPage();
  const form = (tab: Page) => tab.getByRole("form", { name: t("platformSettings.bank.title") });
  const field = (tab: Page, name: "holder" | "iban" | "bank") =>
    form(tab).getByLabel(t(`platformSettings.bank.${name}`), { exact: true });
  const fillBankDetails = async (tab: Page, bank: string) => {
    await field(tab, "holder").fill("Tellal A.Ş.");
    await field(tab, "iban").fill("TR330006100519786457841326");
    await field(tab, "bank").fill(bank);
  };
  const save = (tab: Page) =>
    form(tab)
      .getByRole("button", { name: t("platformSettings.bank.save") })
      .click();
  for (const tab of [page, otherPage]) await open(tab, "/admin/settings");

  await fillBankDetails(otherPage, "Ziraat");
  await save(otherPage);
  await expect(otherPage.getByText(t("responses.settings_saved"))).toBeVisible();
  await fillBankDetails(page, "Garanti");
  await save(page);
  const staleAlert = form(page)
    .getByRole("alert")
    .filter({ hasText: t("errors.stale") });
  await expect(staleAlert).toBeVisible();
  await staleAlert.getByRole("button", { name: t("ui.form.stale.load") }).click();
  await expect(field(page, "bank")).toHaveValue("Ziraat");
  await field(page, "bank").fill("İş Bankası");
  await save(page);
  await expect(page.getByText(t("responses.settings_saved"))).toBeVisible();
});

test.describe("on a phone, in Arabic", () => {
  test.use({ look: LOOKS[3], viewport: { width: 320, height: 700 } });

  test("a menu label changed in another tab is not overwritten unseen, and other labels are kept", async ({
    page,
    context,
    member,
    submitSignInForm,
    t,
  }) => {
    await submitSignInForm(member, "/settings/menu");
    await waitForPage(page, /\/settings\/menu/);
    const otherPage = await context.newPage();
    await open(otherPage, "/settings/menu");

    const form = (tab: Page) => tab.getByRole("form", { name: t("menuSettings.title") });
    const labelField = (tab: Page, key: "sites" | "docs") =>
      form(tab).getByRole("textbox", { name: t(`navigation.${key}`) });
    const save = (tab: Page) =>
      form(tab)
        .getByRole("button", { name: t("ui.form.changes.save") })
        .click();
    const expectSaved = (tab: Page) => expect(tab.getByText(t("menuSettings.saved")).first()).toBeVisible();

    await labelField(otherPage, "sites").fill("متاجري");
    await labelField(otherPage, "docs").fill("مساعدة");
    await save(otherPage);
    await expectSaved(otherPage);

    await labelField(page, "sites").fill("مواقعي");
    await save(page);
    const staleAlert = form(page)
      .getByRole("alert")
      .filter({ hasText: t("errors.stale") });
    await expect(staleAlert).toBeVisible();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await staleAlert.getByRole("button", { name: t("ui.form.stale.keep") }).click();
    await expectSaved(page);
    await expect(labelField(page, "docs"), "an unchanged label keeps the newer value").toHaveValue("مساعدة");
    await open(otherPage, "/settings/menu");
    await expect(labelField(otherPage, "sites")).toHaveValue("مواقعي");
    await expect(labelField(otherPage, "docs")).toHaveValue("مساعدة");
  });
});
