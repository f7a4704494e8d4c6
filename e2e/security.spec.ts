import { Secret, TOTP } from "otpauth";
import {
  clearSession,
  expect,
  expectAccessible,
  expectFocusKept,
  fillCode,
  open,
  test,
  waitForPage,
} from "./fixtures";

test("an authenticator app is set up and required at sign-in, and an API key is created and revoked", {
  tag: "@main",
}, async ({ page, request, origin, member, submitSignInForm, t }) => {
  test.slow();
  const signIn = async () => {
    await clearSession(page);
    await submitSignInForm(member, "/settings/security");
  };
  const clickButton = (name: string) => page.getByRole("button", { name, exact: true }).click();

  await signIn();
  await waitForPage(page, /\/settings\/security/);
  await clickButton(t("security.totp.setUp"));
  // A recent sign-in counts as proof of identity.
  const setupDialog = page.getByRole("dialog", { name: t("security.totp.setUpTitle") });
  const secret = await setupDialog.getByRole("code").textContent();
  const authenticatorApp = new TOTP({ secret: Secret.fromBase32(secret?.trim() ?? "") });
  await expectAccessible(page);
  await fillCode(setupDialog.getByLabel(t("auth.verify.code"), { exact: true }), authenticatorApp.generate());

  const recoveryCodes = page.getByRole("list", { name: t("security.codes.title") }).getByRole("listitem");
  await expect(recoveryCodes).toHaveCount(10);
  await page.keyboard.press("Escape");
  await expect(recoveryCodes, "Escape does not close the codes").toHaveCount(10);
  await expectAccessible(page);
  const recoveryCode = (await recoveryCodes.nth(4).textContent()) ?? "";
  expect(recoveryCode).toMatch(/^\w{4}(-\w{4}){3}$/);
  await clickButton(t("security.codes.next"));
  const checkDialog = page.getByRole("dialog", { name: t("security.check.title") });
  const codeField = checkDialog.getByLabel(t("security.check.label"), { exact: true });
  await codeField.fill("0000");
  await clickButton(t("security.check.submit"));
  await expect(checkDialog.getByText(t("security.check.wrong"))).toBeVisible();
  await codeField.fill(recoveryCode.toLowerCase().replaceAll("-", " "));
  await clickButton(t("security.check.submit"));
  await expect(checkDialog).toHaveCount(0);
  await expectFocusKept(page);

  // The setup used the current code; the next one is accepted once.
  await signIn();
  const signInCodeField = page.getByLabel(t("auth.verify.code"), { exact: true });
  await fillCode(signInCodeField, authenticatorApp.generate({ timestamp: Date.now() + 30_000 }));
  await waitForPage(page, /\/settings\/security/);

  await signIn();
  await clickButton(t("auth.second.use.recovery"));
  await page.getByLabel(t("auth.second.recovery"), { exact: true }).fill(recoveryCode);
  await clickButton(t("auth.signIn.submit"));
  await waitForPage(page, /\/settings\/security/);
  await expect(page.getByText(t("security.recovery.left", { count: 9 }), { exact: true })).toBeVisible();

  await open(page, "/developers/keys");
  await clickButton(t("keys.create.open"));
  const createDialog = page.getByRole("dialog", { name: t("keys.create.title") });
  await createDialog.getByLabel(t("keys.create.name"), { exact: true }).fill("Muhasebe aktarımı");
  await createDialog.getByRole("button", { name: t("keys.create.submit"), exact: true }).click();
  const createdDialog = page.getByRole("dialog", { name: t("keys.created.title") });
  const tokenText = createdDialog.getByText(/^dsu_\w+$/);
  await expect(tokenText).toBeVisible();
  await expectAccessible(page);
  const apiKey = (await tokenText.textContent())?.trim() ?? "";
  const keyOptions = { headers: { authorization: `Bearer ${apiKey}` } };
  expect((await request.get(`${origin}/api/auth/user`, keyOptions)).status()).toBe(200);
  await createdDialog.getByRole("checkbox", { name: t("ui.secret.stored") }).check();
  await clickButton(t("keys.created.done"));
  await expect(createdDialog).toHaveCount(0);
  await expectFocusKept(page);

  await clickButton(`${t("keys.revoke.short")}: Muhasebe aktarımı`);
  const confirmDialog = page.getByRole("alertdialog");
  await expect(confirmDialog).toBeVisible();
  await confirmDialog.getByRole("button", { name: t("keys.revoke.confirm") }).click();
  await expect(confirmDialog).toHaveCount(0);
  await expect(page.getByText("Muhasebe aktarımı")).toHaveCount(0);
  await expectFocusKept(page);
  expect((await request.get(`${origin}/api/auth/user`, keyOptions)).status()).toBe(401);
});
