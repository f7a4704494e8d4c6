import { Secret, TOTP } from "otpauth";
import { clearSession, expect, expectAccessible, expectFocusKept, open, test, waitForPage } from "./fixtures";

test("an authenticator app is set up and required at sign-in, and an API key is created and revoked", {
  tag: "@main",
}, async ({ page, request, origin, member, typePassword, t }) => {
  test.slow();
  const signIn = async () => {
    await clearSession(page);
    await typePassword(member, "/settings/security");
  };
  const press = (name: string) => page.getByRole("button", { name, exact: true }).click();

  await signIn();
  await waitForPage(page, /\/settings\/security/);
  await press(t("security.totp.setUp"));
  // A recent sign-in counts as proof of identity.
  const setUp = page.getByRole("dialog", { name: t("security.totp.setUpTitle") });
  const secret = await setUp.getByRole("code").textContent();
  const app = new TOTP({ secret: Secret.fromBase32(secret?.trim() ?? "") });
  await expectAccessible(page);
  await setUp.getByLabel(t("auth.verify.code"), { exact: true }).fill(app.generate());
  await setUp.getByRole("button", { name: t("security.totp.confirm"), exact: true }).click();

  const codes = page.getByRole("list", { name: t("security.codes.title") }).getByRole("listitem");
  await expect(codes).toHaveCount(10);
  await page.keyboard.press("Escape");
  await expect(codes, "Escape does not close the codes").toHaveCount(10);
  await expectAccessible(page);
  const recovery = (await codes.nth(4).textContent()) ?? "";
  expect(recovery).toMatch(/^\w{4}(-\w{4}){3}$/);
  await press(t("security.codes.next"));
  const check = page.getByRole("dialog", { name: t("security.check.title") });
  const codeField = check.getByLabel(t("security.check.label"), { exact: true });
  await codeField.fill("0000");
  await press(t("security.check.submit"));
  await expect(check.getByText(t("security.check.wrong"))).toBeVisible();
  await codeField.fill(recovery.toLowerCase().replaceAll("-", " "));
  await press(t("security.check.submit"));
  await expect(check).toHaveCount(0);
  await expectFocusKept(page);

  // The setup used the current code; the next one is accepted once.
  await signIn();
  const code = page.getByLabel(t("auth.verify.code"), { exact: true });
  await code.fill(app.generate({ timestamp: Date.now() + 30_000 }));
  await press(t("auth.signIn.submit"));
  await waitForPage(page, /\/settings\/security/);

  await signIn();
  await press(t("auth.second.use.recovery"));
  await page.getByLabel(t("auth.second.recovery"), { exact: true }).fill(recovery);
  await press(t("auth.signIn.submit"));
  await waitForPage(page, /\/settings\/security/);
  await expect(page.getByText(t("security.recovery.left", { count: 9 }), { exact: true })).toBeVisible();

  await open(page, "/developers/keys");
  await press(t("keys.create.open"));
  const createDialog = page.getByRole("dialog", { name: t("keys.create.title") });
  await createDialog.getByLabel(t("keys.create.name"), { exact: true }).fill("Muhasebe aktarımı");
  await createDialog.getByRole("button", { name: t("keys.create.submit"), exact: true }).click();
  const createdDialog = page.getByRole("dialog", { name: t("keys.created.title") });
  const tokenText = createdDialog.getByText(/^dsu_\w+$/);
  await expect(tokenText).toBeVisible();
  await expectAccessible(page);
  const key = (await tokenText.textContent())?.trim() ?? "";
  const withKey = { headers: { authorization: `Bearer ${key}` } };
  expect((await request.get(`${origin}/api/auth/user`, withKey)).status()).toBe(200);
  await createdDialog.getByRole("checkbox", { name: t("ui.secret.stored") }).check();
  await press(t("keys.created.done"));
  await expect(createdDialog).toHaveCount(0);
  await expectFocusKept(page);

  await press(`${t("keys.revoke.short")}: Muhasebe aktarımı`);
  const question = page.getByRole("alertdialog");
  await expect(question).toBeVisible();
  await question.getByRole("button", { name: t("keys.revoke.confirm") }).click();
  await expect(question).toHaveCount(0);
  await expect(page.getByText("Muhasebe aktarımı")).toHaveCount(0);
  await expectFocusKept(page);
  expect((await request.get(`${origin}/api/auth/user`, withKey)).status()).toBe(401);
});
