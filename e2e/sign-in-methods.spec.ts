import { Secret, TOTP } from "otpauth";
import { withAuthenticator } from "./authenticator";
import { clearSession, expect, open, pathOf, test, waitForPage } from "./fixtures";

const SECURITY = "/settings/security";

test("signs in by recovery code, app code, remembered device and passkey; a password reset still needs the second factor", async ({
  page,
  mailed,
  member,
  typePassword,
  t,
}) => {
  test.slow();
  const arriveAtSecurity = () => waitForPage(page, /\/settings\/security/);
  const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
  const code = page.getByLabel(t("auth.verify.code"), { exact: true });
  const signIn = async () => {
    await clearSession(page);
    await typePassword(member, SECURITY);
  };

  await signIn();
  await arriveAtSecurity();
  await press(t("security.totp.setUp"));
  const setUp = page.getByRole("dialog", { name: t("security.totp.setUpTitle") });
  const secret = await setUp.getByRole("code").textContent();
  const app = new TOTP({ secret: Secret.fromBase32(secret?.trim() ?? "") });
  let lastCounter = app.counter();
  await code.fill(app.generate());
  await press(t("security.totp.confirm"));
  const codes = page.getByRole("list", { name: t("security.codes.title") }).getByRole("listitem");
  await expect(codes).toHaveCount(10);
  const [recovery, spareCode] = (await codes.allTextContents()) as [string, string];
  await press(t("security.codes.next"));
  const check = page.getByRole("dialog", { name: t("security.check.title") });
  await check.getByLabel(t("security.check.label"), { exact: true }).fill(recovery);
  await press(t("security.check.submit"));
  await expect(check).toHaveCount(0);

  async function recover(unused: string): Promise<void> {
    await press(t("auth.second.use.recovery"));
    await page.getByLabel(t("auth.second.recovery"), { exact: true }).fill(unused);
    await press(t("auth.signIn.submit"));
  }

  /** Returns an unused code: each time step counts once, and one step ahead is accepted. */
  async function nextCode(): Promise<string> {
    await expect.poll(() => app.counter() + 1, { timeout: 65_000 }).toBeGreaterThan(lastCounter);
    lastCounter = app.counter() + 1;
    return app.generate({ timestamp: Date.now() + 30_000 });
  }

  await signIn();
  await recover(recovery);
  await arriveAtSecurity();

  await signIn();
  await expect(code).toBeVisible();
  await page.reload();
  await expect(code, "the second step survives a reload").toBeVisible();
  await page.getByRole("checkbox", { name: t("auth.second.remember") }).check();
  await code.fill(await nextCode());
  await press(t("auth.signIn.submit"));
  await arriveAtSecurity();

  await signIn();
  await arriveAtSecurity();
  const { remove } = await withAuthenticator(page);
  await press(t("passkeys.add"));
  // A remembered device is no proof of identity: adding a sign-in method requires a code.
  const proof = page.getByRole("dialog", { name: t("identity.title") });
  await proof.getByLabel(t("auth.verify.code"), { exact: true }).fill(await nextCode());
  await proof.getByRole("button", { name: t("identity.submit"), exact: true }).click();
  const passkeys = page.getByRole("region", { name: t("passkeys.title") });
  await expect(passkeys.getByRole("listitem")).toHaveCount(1);

  await clearSession(page);
  await page.goto(`/sign-in?next=${encodeURIComponent(SECURITY)}`, { waitUntil: "commit" });
  await arriveAtSecurity();
  await remove();

  await clearSession(page);
  await open(page, "/forgot-password");
  await page.getByLabel(t("auth.email"), { exact: true }).fill(member.email);
  await press(t("auth.forgot.submit"));
  await expect(page.getByRole("heading", { name: t("auth.forgot.sentTitle") })).toBeVisible();
  const link = await mailed(member.email, /https?:\S+\/reset-password\?\S+/);
  await open(page, pathOf(link.found));
  const password = "yeni-ve-uzun-parola";
  await page.getByLabel(t("auth.reset.password"), { exact: true }).fill(password);
  await press(t("auth.reset.submit"));
  await expect(code).toBeVisible();
  await open(page, "/dashboard");
  await expect(page).toHaveURL(/\/sign-in/);

  await typePassword({ email: member.email, password }, "/dashboard");
  await expect(code).toBeVisible();
  await recover(spareCode);
  await waitForPage(page, /\/dashboard/);
});
