import { expect, expectAccessible, expectInvalid, fillCode, LOOKS, open, test, toPath } from "./fixtures";

test("a user changes profile, e-mail and password, and undoes the change of the e-mail", {
  tag: "@main",
}, async ({ page, waitForMail, request, origin, member, signIn, t }) => {
  test.slow();
  const fetchLoginStatus = async (email: string, password: string) =>
    (await request.post(`${origin}/api/auth/login`, { data: { email, password } })).status();

  const newEmail = member.email.replace("isil", "isil.yeni");
  const newPassword = `${member.password}-2`;

  await test.step("changes name, phone and e-mail", async () => {
    await signIn(page, member.email, member.password);
    await open(page, "/settings/profile");

    const details = page.getByRole("form", { name: t("settings.details.title") });
    const emailField = details.getByLabel(t("settings.details.email"), { exact: true });
    const phoneField = details.getByLabel(t("auth.signUp.phone"), { exact: true });
    await phoneField.fill("\u202a+90 (532) 111\u201122\u201133\u202c");
    await phoneField.blur();
    await expect(phoneField, "cleans a number pasted from an address book").toHaveValue("+90 532 111 22 33");
    await details.getByLabel(t("settings.details.name"), { exact: true }).fill("Işıl Çağlar Öz");
    await emailField.fill(newEmail);
    await expect(details.getByText(/72 saat/), "explains the change before saving").toBeVisible();
    await details.getByRole("button", { name: t("settings.details.save") }).click();
    await expect(page.getByRole("banner").getByText("Işıl Çağlar Öz")).toBeVisible();
    await open(page, page.url());
    await expect(emailField).toHaveValue(newEmail);
  });

  await test.step("verifies the new e-mail", async () => {
    const { match: verificationToken } = await waitForMail(newEmail, /dsv_\w+/);
    await request.post(`${origin}/api/auth/verify-email`, { data: { token: verificationToken } });
    await open(page, `/verify-email?token=${verificationToken}`);
    await page.getByRole("button", { name: t("auth.verify.confirm"), exact: true }).click();
    await expect(
      page.getByRole("heading", { name: t("auth.verify.alreadyTitle") }),
      "already verified by the API call",
    ).toBeVisible();
    await expectAccessible(page);
  });

  await test.step("verifies the phone", async () => {
    await open(page, "/settings/profile");
    const sendCodeButton = page.getByRole("button", { name: t("settings.phone.send") });
    await sendCodeButton.click();
    const dialog = page.getByRole("dialog", { name: t("settings.phone.title") });
    const { match: smsCode } = await waitForMail(newEmail, / #(\d{6})$/);
    const arabicDigits = smsCode.replace(/\d/g, (digit) => String.fromCharCode(0x660 + Number(digit)));
    const codeField = dialog.getByLabel(t("auth.verify.code"), { exact: true });
    await expectAccessible(page);
    await fillCode(codeField, `\u200f${arabicDigits.slice(0, 3)} ${arabicDigits.slice(3)}`);
    await expect(dialog).toHaveCount(0);
    await expect(sendCodeButton).toHaveCount(0);
  });

  await test.step("changes the password", async () => {
    await open(page, "/settings/security");
    const passwordCard = page.getByRole("region", { name: t("security.password.title"), exact: true });
    await passwordCard.getByRole("button", { name: t("security.password.submit"), exact: true }).click();
    const drawer = page.getByRole("dialog", { name: t("security.password.submit") });
    const currentPasswordField = drawer.getByLabel(t("security.password.current"), { exact: true });
    const submitButton = drawer.getByRole("button", { name: t("security.password.submit"), exact: true });
    await currentPasswordField.fill("yanlış-parola");
    await drawer.getByLabel(t("security.password.next"), { exact: true }).fill(newPassword);
    await submitButton.click();
    await expectInvalid(currentPasswordField);
    await currentPasswordField.fill(member.password);
    await submitButton.click();
    await expect(drawer).toHaveCount(0);
    await expect(passwordCard.getByRole("time"), "time of the last change").toBeVisible();
  });

  await test.step("withdraws a consent", async () => {
    await open(page, "/settings/consents");
    const marketingSwitch = page.getByRole("switch", { name: t("consents.marketing.title") });
    await expect(marketingSwitch).toBeChecked();
    await marketingSwitch.click();
    await expect(marketingSwitch).not.toBeChecked();
    await open(page, page.url());
    await expect(marketingSwitch).not.toBeChecked();
  });

  await test.step("undoes the change of the e-mail", async () => {
    const { match: undoLink } = await waitForMail(member.email, /http\S+undo-email-change\S+/);
    await open(page, toPath(undoLink));
    await expectAccessible(page);
    expect(page.url(), "the token is removed from the URL").not.toContain("token");
    expect(await fetchLoginStatus(newEmail, newPassword), "opening the page changes nothing").toBe(200);
    await expect(page.getByText(/^\S\*{3}\S?@\S\*{3}\.com$/), "both addresses, masked").toHaveCount(2);
    await page.getByRole("button", { name: t("auth.emailChange.undo.submit") }).click();
    await expect(page.getByRole("link", { name: t("auth.emailChange.undo.doneAction") })).toBeVisible();
    expect(await fetchLoginStatus(newEmail, newPassword)).toBe(401);
    expect(await fetchLoginStatus(member.email, newPassword), "the new password may be an attacker's").toBe(
      401,
    );
    await open(page, "/settings/profile");
    await expect(page, "every session ended").toHaveURL(/\/sign-in/);
  });
});

for (const look of [LOOKS[0], LOOKS[3]]) {
  test.describe(`${look.locale} ${look.theme}`, () => {
    test.use({
      look,
      viewport: look.locale === "ar" ? { width: 390, height: 844 } : { width: 1280, height: 900 },
    });

    test("menu entries are renamed, survive offline and expired sessions, and are reset", async ({
      page,
      signIn,
      t,
    }) => {
      const [sitesLabel, docsLabel] =
        look.locale === "ar" ? ["متاجري", "مساعدة"] : ["Dükkânlarım", "Yardım köşesi"];
      await signIn(page, "admin@example.com");
      await open(page, "/settings/menu");
      const form = page.getByRole("form", { name: t("menuSettings.title") });
      const saveButton = form.getByRole("button", { name: t("ui.form.changes.save") });
      await form.getByRole("textbox", { name: t("navigation.sites") }).fill(`<b>${sitesLabel}</b>`);
      await form.getByRole("textbox", { name: t("navigation.docs") }).fill(docsLabel);
      const preview = page.getByRole("region", { name: t("menuSettings.preview") });
      await expect(preview.getByText(sitesLabel, { exact: true }), "the preview follows").toBeVisible();
      const menu = page.getByRole("navigation", {
        name: t(look.locale === "ar" ? "shell.bottomMenu" : "shell.menu"),
        exact: true,
      });
      const dashboardLabel = t(look.locale === "ar" ? "shell.bar.dashboard" : "navigation.dashboard");
      const paragraphs = page.getByRole("paragraph");
      await page.context().setOffline(true);
      await expect(paragraphs.filter({ hasText: t("shell.offline.text") })).toBeVisible();
      await saveButton.click();
      await expect(page.getByText(t("ui.error.network")), "reported immediately, not queued").toBeVisible();
      await menu.getByRole("link", { name: dashboardLabel }).click();
      await expect(
        paragraphs.filter({ hasText: t("shell.offline.held") }),
        "navigation is held back offline",
      ).toBeVisible();
      await expectAccessible(page);
      await page.context().setOffline(false);
      await expect(
        paragraphs.filter({ hasText: t("shell.offline.held") }),
        "ends when online again",
      ).toHaveCount(0);
      await expect(
        form.getByRole("textbox", { name: t("navigation.docs") }),
        "typed text is kept",
      ).toHaveValue(docsLabel);

      await menu.getByRole("link", { name: dashboardLabel }).click();
      const confirmDialog = page.getByRole("alertdialog", { name: t("ui.form.leave.title") });
      await expect(confirmDialog).toBeVisible();
      await expectAccessible(page);
      await confirmDialog.getByRole("button", { name: t("ui.form.leave.cancel") }).click();
      await expect(confirmDialog).toHaveCount(0);

      await page.context().clearCookies({ name: "session" });
      await saveButton.click();
      const sessionDialog = page.getByRole("dialog", { name: t("shell.session.title") });
      await sessionDialog.getByLabel(t("auth.signIn.password"), { exact: true }).fill("demo-password");
      await expectAccessible(page);
      await sessionDialog.getByRole("button", { name: t("auth.signIn.submit"), exact: true }).click();
      await expect(sessionDialog, "the save is retried").toHaveCount(0);
      await expect(form.getByRole("textbox", { name: t("navigation.sites") })).toHaveValue(sitesLabel);
      await expect(menu.getByText(sitesLabel, { exact: true })).toBeVisible();

      await form.getByRole("button", { name: t("menuSettings.resetAll") }).click();
      await saveButton.click();
      await expect(menu.getByText(sitesLabel, { exact: true })).toHaveCount(0);

      await menu.getByRole("link", { name: dashboardLabel }).click();
      await expect(page.getByRole("heading", { level: 1 }), "the heading gets the focus").toBeFocused();
      await page.goto("/site");
      await expect(page.getByRole("main").getByRole("link").first()).toHaveText(t("navigation.sites"));
    });
  });
}
