import { Secret, TOTP } from "otpauth";
import { clearSession, expect, fillCode, open, test, toPath, waitForPage } from "./fixtures";
import { addVirtualAuthenticator } from "./virtual-authenticator";

const SECURITY_PATH = "/settings/security";

test("signs in by recovery code, app code, remembered device and passkey, and a reset keeps the second factor", async ({
  page,
  waitForMail,
  member,
  submitSignInForm,
  t,
}) => {
  test.slow();
  const waitForSecurityPage = () => waitForPage(page, /\/settings\/security/);
  const clickButton = (name: string) => page.getByRole("button", { name, exact: true }).click();
  const codeField = page.getByLabel(t("auth.verify.code"), { exact: true });
  const signIn = async () => {
    await clearSession(page);
    await submitSignInForm(member, SECURITY_PATH);
  };

  await signIn();
  await waitForSecurityPage();
  await clickButton(t("security.totp.setUp"));
  const setupDialog = page.getByRole("dialog", { name: t("security.totp.setUpTitle") });
  const secret = await setupDialog.getByRole("code").textContent();
  const authenticatorApp = new TOTP({ secret: Secret.fromBase32(secret?.trim() ?? "") });
  let lastCounter = authenticatorApp.counter();
  await fillCode(codeField, authenticatorApp.generate());
  const recoveryCodes = page.getByRole("list", { name: t("security.codes.title") }).getByRole("listitem");
  await expect(recoveryCodes).toHaveCount(10);
  const [recoveryCode, spareCode] = (await recoveryCodes.allTextContents()) as [string, string];
  await clickButton(t("security.codes.next"));
  const checkDialog = page.getByRole("dialog", { name: t("security.check.title") });
  await checkDialog.getByLabel(t("security.check.label"), { exact: true }).fill(recoveryCode);
  await clickButton(t("security.check.submit"));
  await expect(checkDialog).toHaveCount(0);

  async function submitRecoveryCode(unusedCode: string): Promise<void> {
    await clickButton(t("auth.second.use.recovery"));
    await page.getByLabel(t("auth.second.recovery"), { exact: true }).fill(unusedCode);
    await clickButton(t("auth.signIn.submit"));
  }

  /** Returns an unused code: each time step counts once, and one step ahead is accepted. */
  async function generateNextCode(): Promise<string> {
    await expect.poll(() => authenticatorApp.counter() + 1, { timeout: 65_000 }).toBeGreaterThan(lastCounter);
    lastCounter = authenticatorApp.counter() + 1;
    return authenticatorApp.generate({ timestamp: Date.now() + 30_000 });
  }

  await signIn();
  await submitRecoveryCode(recoveryCode);
  await waitForSecurityPage();

  await signIn();
  await expect(codeField).toBeVisible();
  await page.reload();
  await expect(codeField, "the second step survives a reload").toBeVisible();
  await page.getByRole("checkbox", { name: t("auth.second.remember") }).check();
  await codeField.fill(await generateNextCode());
  await waitForSecurityPage();

  await signIn();
  await waitForSecurityPage();
  const { remove: removeAuthenticator } = await addVirtualAuthenticator(page);
  await clickButton(t("passkeys.add"));
  // A remembered device is no proof of identity: adding a sign-in method requires a code.
  const proofDialog = page.getByRole("dialog", { name: t("identity.title") });
  await fillCode(proofDialog.getByLabel(t("auth.verify.code"), { exact: true }), await generateNextCode());
  const passkeys = page.getByRole("region", { name: t("passkeys.title") });
  await expect(passkeys.getByRole("listitem")).toHaveCount(1);

  await clearSession(page);
  await page.goto(`/sign-in?next=${encodeURIComponent(SECURITY_PATH)}`, { waitUntil: "commit" });
  await waitForSecurityPage();
  await removeAuthenticator();

  await clearSession(page);
  await open(page, "/forgot-password");
  await page.getByLabel(t("auth.email"), { exact: true }).fill(member.email);
  await clickButton(t("auth.forgot.submit"));
  await expect(page.getByRole("heading", { name: t("auth.forgot.sentTitle") })).toBeVisible();
  const resetMail = await waitForMail(member.email, /https?:\S+\/reset-password\?\S+/);
  await open(page, toPath(resetMail.match));
  const newPassword = "yeni-ve-uzun-parola";
  await page.getByLabel(t("auth.reset.password"), { exact: true }).fill(newPassword);
  await clickButton(t("auth.reset.submit"));
  await expect(codeField).toBeVisible();
  await open(page, "/dashboard");
  await expect(page).toHaveURL(/\/sign-in/);

  await submitSignInForm({ email: member.email, password: newPassword }, "/dashboard");
  await expect(codeField).toBeVisible();
  await submitRecoveryCode(spareCode);
  await waitForPage(page, /\/dashboard/);
});
