import type { Page } from "@playwright/test";
import { expect, expectPage, test } from "./fixtures";

/** Opens a page and holds its scripts back, as a slow network does. Returns a function that releases them. */
async function openWithoutScripts(page: Page, address: string): Promise<() => Promise<void>> {
  let release = () => {};
  const releaseSignal = new Promise<void>((resolve) => {
    release = resolve;
  });
  const pattern = "**/_next/static/**/*.js";
  await page.route(pattern, async (route) => {
    await releaseSignal;
    await route.continue();
  });
  await page.goto(address, { waitUntil: "commit" });
  return async () => {
    release();
    await page.unrouteAll({ behavior: "wait" });
  };
}

test("Enter pressed before the scripts run signs in once they run", { tag: "@main" }, async ({
  page,
  member,
  t,
}) => {
  const releaseScripts = await openWithoutScripts(page, "/sign-in?next=%2Fsettings%2Fprofile");
  await page.getByLabel(t("auth.email"), { exact: true }).fill(member.email);
  const passwordField = page.getByLabel(t("auth.signIn.password"), { exact: true });
  await passwordField.fill(member.password);
  await passwordField.press("Enter");
  await expect(page.locator("form[aria-busy=true]")).toBeAttached();
  await expect(passwordField).toHaveValue(member.password);
  expect(page.url()).toMatch(/\/sign-in\?next=%2Fsettings%2Fprofile$/);
  await releaseScripts();
  await expectPage(page, /\/settings\/profile$/);
});

test("an early Enter keeps the typed text, and the form reports missing fields", async ({
  page,
  newcomer,
  t,
}) => {
  const releaseScripts = await openWithoutScripts(page, "/sign-up?ref=ARSLAN34");
  const nameField = page.getByLabel(t("auth.signUp.name"), { exact: true });
  const passwordField = page.getByLabel(t("auth.signUp.password"), { exact: true });
  await nameField.fill(newcomer.name);
  await passwordField.fill(newcomer.password);
  await passwordField.press("Enter");
  await expect(page.locator("form[aria-busy=true]")).toBeAttached();
  await releaseScripts();
  const emailField = page.getByLabel(t("auth.email"), { exact: true });
  await expect(emailField).toHaveAttribute("aria-invalid", "true");
  await expect(nameField).toHaveValue(newcomer.name);
  await expect(passwordField).toHaveValue(newcomer.password);
  expect(new URL(page.url()).search).toBe("?ref=ARSLAN34");
});

test("text typed before the scripts run is kept", async ({ page, member, t }) => {
  const releaseScripts = await openWithoutScripts(page, "/forgot-password");
  await page.getByLabel(t("auth.email"), { exact: true }).fill(member.email);
  await releaseScripts();
  const submitButton = page.getByRole("button", { name: t("auth.forgot.submit"), exact: true });
  await expect(submitButton).not.toHaveAttribute("aria-busy", "true");
  await expect(page.getByLabel(t("auth.email"), { exact: true })).toHaveValue(member.email);
});

test("the anchor of a bookmark is kept across sign-in", async ({ page, member, submitSignInForm, t }) => {
  await page.goto("/settings/profile#keys");
  await expectPage(page, /\/sign-in\?next=%2Fsettings%2Fprofile#keys$/);
  await page.getByLabel(t("auth.email"), { exact: true }).fill(member.email);
  await page.getByLabel(t("auth.signIn.password"), { exact: true }).fill(member.password);
  await page.getByRole("button", { name: t("auth.signIn.submit"), exact: true }).click();
  await expectPage(page, /\/settings\/profile#keys$/);
  await page.context().clearCookies({ name: "session" });
  await submitSignInForm(member, "/settings/profile#keys");
  await expectPage(page, /\/settings\/profile#keys$/);
});
