import { Secret, TOTP } from "otpauth";
import { expect, expectAccessible, expectFocusKept, test } from "./fixtures";

test("an authenticator app protects the sign-in, and an API key is made and revoked", async ({
  page,
  mailsTo,
  request,
  origin,
  newcomer,
}) => {
  test.slow();
  const consents = { terms: true, privacy: true, yurtdisi: true, cagri_kayit: true };
  await request.post(`${origin}/api/auth/register`, {
    data: { ...newcomer, phone: "+905321112233", password_confirmation: newcomer.password, consents },
  });
  const [welcome] = await mailsTo(newcomer.email);
  const verification = /dsv_\w+/.exec(welcome?.text ?? "")?.[0];
  await request.post(`${origin}/api/auth/verify-email`, { data: { token: verification } });

  const dialog = page.locator("[role=dialog]:not([aria-modal=false])");
  const submit = page.locator("form button[type=submit]").first();

  /** Types e-mail and password; the next step depends on the account. */
  async function signIn(): Promise<void> {
    await page.context().clearCookies({ name: "session" });
    await page.goto("/sign-in?next=%2Fsettings%2Fsecurity");
    await page.locator("input[name=email]").fill(newcomer.email);
    await page.locator("input[name=password]").fill(newcomer.password);
    await submit.click();
  }

  await signIn();
  await expect(page).toHaveURL(/\/settings\/security/);
  await page.waitForLoadState("networkidle");
  await expectAccessible(page);
  await page.locator("main li button").first().click();
  const password = dialog.locator("input[name=password]");
  const shown = page.locator("[data-secret]");
  await expect(password.or(shown)).toBeVisible();
  // A sign-in within the last minutes is proof enough; otherwise the dialog asks and continues by itself.
  if (await password.isVisible()) {
    await password.fill(newcomer.password);
    await dialog.locator("button[type=submit]").click();
  }
  const app = new TOTP({ secret: Secret.fromBase32((await shown.textContent())?.trim() ?? "") });
  await expectAccessible(page);
  await dialog.locator("input[name=code]").fill(app.generate());
  await dialog.locator("button[type=submit]").click();

  const codes = dialog.locator("li").filter({ hasText: /^\w{4}(-\w{4}){3}$/ });
  await expect(codes).toHaveCount(10);
  await page.keyboard.press("Escape");
  await expect(codes, "the codes are not lost by Escape").toHaveCount(10);
  await expectAccessible(page);
  const recovery = (await codes.nth(4).textContent()) ?? "";
  await dialog.locator("button").last().click();
  await dialog.locator("input[name=code]").fill("0000");
  await dialog.locator("button[type=submit]").click();
  await expect(dialog).toBeVisible();
  await dialog.locator("input[name=code]").fill(recovery.toLowerCase().replaceAll("-", " "));
  await dialog.locator("button[type=submit]").click();
  await expect(dialog).toHaveCount(0);
  await expectFocusKept(page);

  // The step that set up the app is spent: the next code is accepted once.
  await signIn();
  await page.locator("input[name=code]").fill(app.generate({ timestamp: Date.now() + 30_000 }));
  await submit.click();
  await expect(page).toHaveURL(/\/settings\/security/);

  await signIn();
  await page.locator("input[name=code]").waitFor();
  await page
    .getByRole("button", { name: /kurtarma kodu/i })
    .first()
    .click();
  await page.locator("input[name=code]").fill(recovery);
  await submit.click();
  await expect(page).toHaveURL(/\/settings\/security/);
  await expect(page.getByText(/9 kod/).first()).toBeVisible();

  await page.goto("/developers/keys");
  await page.waitForLoadState("networkidle");
  await expectAccessible(page);
  await page.locator("main button").first().click();
  await dialog.locator("input[name=name]").fill("Muhasebe aktarımı");
  await dialog.locator("button[type=submit]").click();
  const secret = dialog.getByText(/^dsu_\w+$/);
  await expect(secret).toBeVisible();
  await expectAccessible(page);
  const key = (await secret.textContent())?.trim() ?? "";
  const asKey = { headers: { authorization: `Bearer ${key}` } };
  expect((await request.get(`${origin}/api/auth/user`, asKey)).status()).toBe(200);
  await dialog.getByRole("checkbox").check();
  await dialog.locator("button").last().click();
  await expect(dialog).toHaveCount(0);
  await expectFocusKept(page);

  await page.getByRole("row").filter({ hasText: "Muhasebe aktarımı" }).getByRole("button").last().click();
  const question = page.getByRole("alertdialog");
  await expectAccessible(page);
  await question.getByRole("button").last().click();
  await expect(question).toHaveCount(0);
  await expect(page.getByText("Muhasebe aktarımı")).toHaveCount(0);
  await expectFocusKept(page);
  expect((await request.get(`${origin}/api/auth/user`, asKey)).status()).toBe(401);
});
