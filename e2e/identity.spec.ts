import type { Page } from "@playwright/test";
import {
  ARABIC,
  clearSession,
  expect,
  expectAccessible,
  expectInvalid,
  expectPage,
  open,
  test,
  tickConsents,
  waitForPage,
} from "./fixtures";
import type { Translator } from "./translator";

interface Identity {
  name: string;
  email: string;
}

async function chooseIdentity(page: Page, t: Translator, { name, email }: Identity): Promise<void> {
  await waitForPage(page, /\/dev\/identity\//);
  await page.getByLabel(t("provider.name"), { exact: true }).fill(name);
  await page.getByLabel(t("auth.email"), { exact: true }).fill(email);
  await page.getByRole("button", { name: t("provider.submit"), exact: true }).click();
}

async function signInWith(
  page: Page,
  t: Translator,
  provider: "google" | "apple",
  identity: Identity,
): Promise<void> {
  await page.getByRole("button", { name: t(`auth.provider.continue.${provider}`) }).click();
  await chooseIdentity(page, t, identity);
}

test.describe("in Arabic and dark", () => {
  test.use(ARABIC);

  test("a user signs up with Google, gives the consents, signs in again and connects Apple", {
    tag: "@main",
  }, async ({ page, newcomer, t }) => {
    test.slow();
    await open(page, "/sign-up");
    await signInWith(page, t, "google", newcomer);
    await expectPage(page, /\/consents-needed/);

    await open(page, "/sites/new");
    await waitForPage(page, /\/consents-needed\?next=%2Fsites%2Fnew/);
    const consentCheckboxes = page
      .getByRole("group", { name: t("auth.signUp.mandatory") })
      .getByRole("checkbox");
    const submitButton = page.getByRole("button", { name: t("auth.consentsNeeded.submit"), exact: true });
    await submitButton.click();
    await expect(consentCheckboxes).toHaveCount(4);
    for (const checkbox of await consentCheckboxes.all()) await expectInvalid(checkbox);
    await expectAccessible(page);
    await tickConsents(page, t);
    await submitButton.click();
    await waitForPage(page, /\/sites\/new$/);

    await clearSession(page);
    await open(page, "/sign-in?next=%2Fsettings%2Fsecurity");
    await signInWith(page, t, "google", newcomer);
    await waitForPage(page, /\/settings\/security$/);
    await expect(page.getByText(newcomer.email)).toBeVisible();

    await page.getByRole("button", { name: `${t("security.identities.connectShort")}: Apple` }).click();
    await expect(page).toHaveURL(/\/dev\/identity\/apple/);
    const email = `apple.${newcomer.email}`;
    await chooseIdentity(page, t, { name: newcomer.name, email });
    await waitForPage(page, /\/settings\/security\?identity=connected/);
    await expect(page.getByText(email)).toBeVisible();
    await expectPage(page, /\/settings\/security/);
  });
});

test("a cancelled, refused or two-factor sign-in with a provider returns to the sign-in page", async ({
  page,
  origin,
  newcomer,
  t,
}) => {
  test.slow();
  await open(page, "/sign-in");
  await page.getByRole("button", { name: t("auth.provider.continue.apple") }).click();
  await waitForPage(page, /\/dev\/identity\//);
  await expectAccessible(page);
  await page.getByRole("button", { name: t("common.cancel"), exact: true }).click();
  await waitForPage(page, /\/sign-in\?.*error=/);
  await expect(page.getByRole("alert").filter({ hasText: t("auth.provider.failed") })).toBeVisible();
  await expectAccessible(page);

  await open(page, "/sign-in");
  await signInWith(page, t, "google", newcomer);
  await waitForPage(page, /\/consents-needed/);
  await clearSession(page);
  await open(page, "/sign-in");
  await signInWith(page, t, "apple", newcomer);
  await waitForPage(page, /\/sign-in\?via=apple/);
  await expect(page.getByRole("alert").filter({ hasText: /\S/ })).toBeVisible();

  const tokenResponse = await page.request.post(`${origin}/dev/identity/google/token`, {
    form: { grant_type: "demo", name: newcomer.name, email: newcomer.email },
  });
  const { id_token } = (await tokenResponse.json()) as { id_token: string };
  const signInResponse = await page.request.post(`${origin}/api/auth/google`, { data: { id_token } });
  const { token } = (await signInResponse.json()) as { token: string };
  const enableResponse = await page.request.post(`${origin}/api/profile/2fa/email`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(enableResponse.status()).toBe(200);
  await open(page, "/sign-in");
  await signInWith(page, t, "google", newcomer);
  await waitForPage(page, /\/sign-in\?via=google/);
  expect(page.url()).not.toContain("dsi_");
  await expect(page.getByLabel(t("auth.verify.code"), { exact: true })).toBeVisible();
  await expectAccessible(page);
});
