import type { Page } from "@playwright/test";
import { expect, expectAccessible, expectNoSidewaysScroll, LOOKS, open, test, waitForPage } from "./fixtures";

/* Concurrent edits in two tabs: a save never overwrites an unseen change. */

test("a profile changed in another tab is reloaded or overwritten by choice", async ({
  page,
  context,
  member,
  typePassword,
  t,
}) => {
  await typePassword(member, "/settings/profile");
  await waitForPage(page, /\/settings\/profile/);
  const other = await context.newPage();
  await open(other, "/settings/profile");

  const form = (of: Page) => of.getByRole("form", { name: t("settings.details.title") });
  const name = (of: Page) => form(of).getByLabel(t("settings.details.name"), { exact: true });
  const phone = (of: Page) => form(of).getByLabel(t("auth.signUp.phone"), { exact: true });
  const save = (of: Page) =>
    form(of)
      .getByRole("button", { name: t("settings.details.save") })
      .click();
  const expectInBanner = (of: Page, text: string) =>
    expect(of.getByRole("banner").getByText(text)).toBeVisible();

  await name(other).fill("Işıl Öz");
  await save(other);
  await expectInBanner(other, "Işıl Öz");

  await phone(page).fill("+905324445566");
  await save(page);
  await expect(name(page), "changes of different fields are merged").toHaveValue("Işıl Öz");
  await expectInBanner(page, "Işıl Öz");

  await name(other).fill("Işıl Ak");
  await save(other);
  await expectInBanner(other, "Işıl Ak");
  await name(page).fill("Işıl Kara");
  await save(page);
  const staleAlert = form(page)
    .getByRole("alert")
    .filter({ hasText: t("errors.stale") });
  await expect(staleAlert).toBeVisible();
  await expect(name(page), "typed text is kept").toHaveValue("Işıl Kara");
  await expectAccessible(page);
  await staleAlert.getByRole("button", { name: t("ui.form.stale.load") }).click();
  await expect(staleAlert).toHaveCount(0);
  await expect(name(page)).toHaveValue("Işıl Ak");
  await expect(name(page), "focus is kept").toBeFocused();

  await name(other).fill("Işıl Mavi");
  await save(other);
  await expectInBanner(other, "Işıl Mavi");
  await name(page).fill("Işıl Kara");
  await save(page);
  await staleAlert.getByRole("button", { name: t("ui.form.stale.keep") }).click();
  await expectInBanner(page, "Işıl Kara");
  await expect(staleAlert).toHaveCount(0);
  await open(other, "/settings/profile");
  await expect(name(other)).toHaveValue("Işıl Kara");
  await expect(phone(other)).toHaveValue("+905324445566");
});

test("bank details changed in another tab are not overwritten unseen", async ({
  page,
  context,
  signIn,
  t,
}) => {
  await signIn(page, "admin@example.com");
  const other = await context.newPage();
  const form = (of: Page) => of.getByRole("form", { name: t("platformSettings.bank.title") });
  const field = (of: Page, name: "holder" | "iban" | "bank") =>
    form(of).getByLabel(t(`platformSettings.bank.${name}`), { exact: true });
  const fill = async (of: Page, bank: string) => {
    await field(of, "holder").fill("Tellal A.Ş.");
    await field(of, "iban").fill("TR330006100519786457841326");
    await field(of, "bank").fill(bank);
  };
  const save = (of: Page) =>
    form(of)
      .getByRole("button", { name: t("platformSettings.bank.save") })
      .click();
  for (const at of [page, other]) await open(at, "/admin/settings");

  await fill(other, "Ziraat");
  await save(other);
  await expect(other.getByText(t("responses.settings_saved"))).toBeVisible();
  await fill(page, "Garanti");
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
    typePassword,
    t,
  }) => {
    await typePassword(member, "/settings/menu");
    await waitForPage(page, /\/settings\/menu/);
    const other = await context.newPage();
    await open(other, "/settings/menu");

    const form = (of: Page) => of.getByRole("form", { name: t("menuSettings.title") });
    const label = (of: Page, key: "sites" | "docs") =>
      form(of).getByRole("textbox", { name: t(`navigation.${key}`) });
    const save = (of: Page) =>
      form(of)
        .getByRole("button", { name: t("menuSettings.save") })
        .click();
    const expectSaved = (of: Page) => expect(of.getByText(t("menuSettings.saved")).first()).toBeVisible();

    await label(other, "sites").fill("متاجري");
    await label(other, "docs").fill("مساعدة");
    await save(other);
    await expectSaved(other);

    await label(page, "sites").fill("مواقعي");
    await save(page);
    const staleAlert = form(page)
      .getByRole("alert")
      .filter({ hasText: t("errors.stale") });
    await expect(staleAlert).toBeVisible();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await staleAlert.getByRole("button", { name: t("ui.form.stale.keep") }).click();
    await expectSaved(page);
    await expect(label(page, "docs"), "an unchanged label keeps the newer value").toHaveValue("مساعدة");
    await open(other, "/settings/menu");
    await expect(label(other, "sites")).toHaveValue("مواقعي");
    await expect(label(other, "docs")).toHaveValue("مساعدة");
  });
});
