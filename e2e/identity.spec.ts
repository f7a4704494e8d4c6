import type { Page } from "@playwright/test";
import { expect, expectAccessible, expectNoSidewaysScroll, LOOKS, test } from "./fixtures";

/** Chooses a person on the page of the demo's identity provider. */
async function chooseAt(page: Page, provider: RegExp, who: { name: string; email: string }) {
  await page.getByRole("button", { name: provider }).click();
  await expect(page).toHaveURL(/\/dev\/identity\//);
  await page.waitForLoadState("networkidle");
  await expectAccessible(page);
  const form = page.locator("form").last();
  await form.locator("input[name=name]").fill(who.name);
  await form.locator("input[name=email]").fill(who.email);
  await form.locator("button[type=submit]").first().click();
}

for (const look of [LOOKS[0], LOOKS[3]]) {
  test.describe(`${look.locale}, ${look.theme}`, () => {
    test.use({ look });

    test("signs up with Google, gives the consents, comes back with one press", async ({
      page,
      newcomer,
    }) => {
      test.slow();
      await page.goto("/sign-up");
      await page.waitForLoadState("networkidle");
      await chooseAt(page, /Google/, newcomer);
      await expect(page).toHaveURL(/\/consents-needed/);
      await page.waitForLoadState("networkidle");
      await expectAccessible(page);
      await expectNoSidewaysScroll(page);

      // The panel is closed until they are given, whatever page is opened.
      await page.goto("/sites/new");
      await expect(page).toHaveURL(/\/consents-needed\?next=%2Fsites%2Fnew/);
      const submit = page.locator("form button[type=submit]");
      await submit.click();
      await expect(page.locator("fieldset").first().locator("[aria-invalid=true]")).toHaveCount(4);
      await expectAccessible(page);
      for (const box of await page.locator("fieldset").first().getByRole("checkbox").all()) await box.check();
      await submit.click();
      await expect(page).toHaveURL(/\/sites\/new$/);

      // A pending response would set the cookie again.
      await page.waitForLoadState("networkidle");
      await page.context().clearCookies({ name: "session" });
      await page.goto("/sign-in?next=%2Fsettings%2Fsecurity");
      await page.waitForLoadState("networkidle");
      await expectAccessible(page);
      await chooseAt(page, /Google/, newcomer);
      await expect(page).toHaveURL(/\/settings\/security$/);
      await expect(page.getByText(newcomer.email)).toBeVisible();
      await page.waitForLoadState("networkidle");
      await expectAccessible(page);

      // The address is the same, but Apple's person is unknown until connected here.
      await page.getByRole("button", { name: /Apple/ }).click();
      await expect(page).toHaveURL(/\/dev\/identity\/apple/);
      const form = page.locator("form").last();
      await form.locator("input[name=name]").fill(newcomer.name);
      await form.locator("input[name=email]").fill(`apple.${newcomer.email}`);
      await form.locator("button[type=submit]").first().click();
      await expect(page).toHaveURL(/\/settings\/security\?identity=connected/);
      await expect(page.getByText(`apple.${newcomer.email}`)).toBeVisible();
      await page.waitForLoadState("networkidle");
      await expectAccessible(page);
      await expectNoSidewaysScroll(page);
    });
  });
}

test("leads back to the sign-in page: cancelled, refused, and to the second step", async ({
  page,
  origin,
  newcomer,
}) => {
  test.slow();
  await page.goto("/sign-in");
  await page.waitForLoadState("networkidle");
  await page.getByRole("button", { name: /Apple/ }).click();
  await page.locator("button[name=cancel]").click();
  await expect(page).toHaveURL(/\/sign-in\?.*error=/);
  await expect(page.getByRole("alert").first()).toBeVisible();
  await expectAccessible(page);

  await page.goto("/sign-in");
  await page.waitForLoadState("networkidle");
  await chooseAt(page, /Google/, newcomer);
  await expect(page).toHaveURL(/\/consents-needed/);
  await page.waitForLoadState("networkidle");
  await page.context().clearCookies({ name: "session" });
  // The account at Apple with this address is not the one at Google.
  await page.goto("/sign-in");
  await page.waitForLoadState("networkidle");
  await chooseAt(page, /Apple/, newcomer);
  await expect(page).toHaveURL(/\/sign-in\?via=apple/);
  await expect(page.getByRole("alert").first()).toBeVisible();

  const demo = await page.request.post(`${origin}/dev/identity/google/token`, {
    form: { grant_type: "demo", name: newcomer.name, email: newcomer.email },
  });
  const { id_token } = (await demo.json()) as { id_token: string };
  const signedIn = await page.request.post(`${origin}/api/auth/google`, { data: { id_token } });
  const { token } = (await signedIn.json()) as { token: string };
  const enabled = await page.request.post(`${origin}/api/profile/2fa/email`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(enabled.status()).toBe(200);
  await page.goto("/sign-in");
  await page.waitForLoadState("networkidle");
  await chooseAt(page, /Google/, newcomer);
  await expect(page).toHaveURL(/\/sign-in\?via=google/);
  expect(page.url()).not.toContain("dsi_");
  await expect(page.locator("input[name=code]")).toBeVisible();
  await page.waitForLoadState("networkidle");
  await expectAccessible(page);
});
