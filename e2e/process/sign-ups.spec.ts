import { expect, test } from "@playwright/test";
import { expectAccessible, open } from "../fixtures";
import { ServerProcess } from "../server-process";
import { loadTranslator } from "../translator";

/* The sign-up setting affects the whole server, so these tests have their own. */

const t = loadTranslator("tr");

test("an administrator closes sign-up, then requires invitations, and the public pages follow", async ({
  browser,
}) => {
  const server = await ServerProcess.create({}, "demo");
  try {
    await server.start();
    const context = await browser.newContext({ baseURL: server.url, locale: "tr-TR" });
    await context.addCookies([{ name: "locale", value: "tr", url: server.url }]);
    const [adminPage, visitorPage] = [
      await context.newPage(),
      await (await browser.newContext({ baseURL: server.url, locale: "tr-TR" })).newPage(),
    ];
    await open(adminPage, "/sign-in");
    await adminPage.getByLabel(t("auth.email"), { exact: true }).fill("admin@example.com");
    await adminPage.getByLabel(t("auth.signIn.password"), { exact: true }).fill("demo-password");
    await adminPage.getByRole("button", { name: t("auth.signIn.submit"), exact: true }).click();
    await adminPage.waitForURL(/\/dashboard/);
    await open(adminPage, "/admin/settings");
    const chooseSignUpMode = async (choice: "closed" | "invitation") => {
      const form = adminPage.getByRole("form", { name: t("platformSettings.signUps.title"), exact: true });
      await form.getByRole("radio", { name: t(`platformSettings.signUps.choice.${choice}`) }).check();
      await form.getByRole("button", { name: t("platformSettings.signUps.save"), exact: true }).click();
      await expect(adminPage.getByText(t("responses.settings_saved")).last()).toBeVisible();
    };
    const supportForm = adminPage.getByRole("form", {
      name: t("platformSettings.support.title"),
      exact: true,
    });
    await supportForm
      .getByLabel(t("platformSettings.support.email"), { exact: true })
      .fill("yardim@example.com");
    await supportForm.getByRole("button", { name: t("platformSettings.support.save"), exact: true }).click();
    await expect(adminPage.getByText(t("responses.settings_saved"))).toBeVisible();

    await chooseSignUpMode("closed");
    const heading = (text: string) => visitorPage.getByRole("heading", { name: text, exact: true });
    // The renderer caches the setting for ten seconds.
    await expect(async () => {
      await open(visitorPage, "/sign-up");
      await expect(heading(t("auth.signUp.closedTitle"))).toBeVisible({ timeout: 1000 });
    }).toPass({ timeout: 40_000 });
    await expect(visitorPage.getByLabel(t("auth.email"), { exact: true })).toHaveCount(0);
    await expect(visitorPage.getByRole("link", { name: "yardim@example.com" })).toBeVisible();
    await expectAccessible(visitorPage);
    await open(visitorPage, "/sign-in");
    await expect(heading(t("auth.signIn.title"))).toBeVisible();
    await expect(visitorPage.getByRole("link", { name: t("auth.signIn.signUp"), exact: true })).toHaveCount(
      0,
    );

    await chooseSignUpMode("invitation");
    await expect(async () => {
      await open(visitorPage, "/sign-up");
      await expect(heading(t("auth.signUp.invitationTitle"))).toBeVisible({ timeout: 1000 });
    }).toPass({ timeout: 40_000 });
    await expectAccessible(visitorPage);
    await visitorPage.getByLabel(t("auth.signUp.referralCode"), { exact: true }).fill("ARSLAN34");
    await visitorPage.getByRole("button", { name: t("auth.signUp.continue"), exact: true }).click();
    await visitorPage.waitForURL(/\/sign-up\?ref=ARSLAN34$/);
    await expect(heading(t("auth.signUp.title"))).toBeVisible();
    await expect(visitorPage.getByLabel(t("auth.email"), { exact: true })).toBeVisible();
    await open(visitorPage, "/sign-in");
    await expect(visitorPage.getByText(t("auth.signIn.invited"))).toBeVisible();
  } finally {
    await server.dispose();
  }
});
