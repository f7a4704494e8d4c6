import type { Page } from "@playwright/test";
import { expect, expectAccessible, expectNoSidewaysScroll, LOOKS, test } from "./fixtures";

/** Expects a complete page: its heading is there, axe finds nothing, nothing scrolls sideways. */
async function settle(page: Page, path: RegExp): Promise<void> {
  await expect(page).toHaveURL(path);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await page.waitForLoadState("networkidle");
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
}

for (const look of LOOKS) {
  test.describe(`${look.locale}, ${look.theme}`, () => {
    test.use({ look });

    test("a person registers, verifies, signs out and signs in again", async ({
      page,
      newcomer,
      mailsTo,
    }) => {
      await page.goto("/sign-up?ref=ARSLAN34");
      await settle(page, /\/sign-up/);
      await page.locator("input[name=name]").fill(newcomer.name);
      await page.locator("input[name=phone]").fill("0532 111 22 33");
      await page.locator("input[name=email]").fill(newcomer.email);
      await page.locator("input[name=password]").fill(newcomer.password);
      // The four mandatory ones come first.
      for (let box = 0; box < 4; box++) await page.getByRole("checkbox").nth(box).click();
      await page.locator("form button[type=submit]").click();
      await settle(page, /\/dashboard/);

      const [mail] = await mailsTo(newcomer.email);
      expect(mail?.locale).toBe(look.locale);
      const link = /https?:\S+\/verify-email\?token=\S+/.exec(mail?.text ?? "")?.[0];
      await page.goto(new URL(link ?? "/missing").pathname + new URL(link ?? "").search);
      await settle(page, /\/verify-email$/);
      await page.locator("main form button[type=submit]").click();
      await expect(page.locator("main form")).toHaveCount(0);
      await settle(page, /\/verify-email$/);

      await page.context().clearCookies({ name: "session" });
      await page.goto("/sites");
      await settle(page, /\/sign-in\?next=%2Fsites/);
      await page.locator("input[name=email]").fill(newcomer.email);
      await page.locator("input[name=password]").fill("wrong-password");
      await page.locator("form button[type=submit]").first().click();
      await expect(page.getByRole("alert").filter({ hasText: /\S/ }).first()).toBeVisible();
      await expect(page.locator("input[name=password]")).toHaveValue("");
      await page.locator("input[name=password]").fill(newcomer.password);
      await page.locator("form button[type=submit]").first().click();
      await settle(page, /\/sites$/);

      // A new account has no slot: the cost comes before any form.
      await page.goto("/sites/new");
      await settle(page, /\/sites\/new/);
      await expect(page.locator("input[name=domain]")).toHaveCount(0);
    });

    test("a site is created in a free slot, its key shown once, and found in the list", async ({
      page,
      signIn,
    }, info) => {
      await signIn(page, look.theme === "light" ? "customer@example.com" : "reseller@example.com");
      await page.goto("/sites/new");
      await settle(page, /\/sites\/new/);
      const domain = `e2e-${look.locale}-${look.theme}-${info.retry}.example.org`;
      await page.locator("input[name=name]").fill("Çağrı Kitabevi");
      await page.locator("input[name=domain]").fill(`https://${domain}/`);
      if (look.theme === "dark") await page.getByRole("checkbox").first().click();
      await page.locator("main form button[type=submit]").first().click();
      await expect(page.getByText(/dsk_[0-9A-Za-z]{49}/).first()).toBeVisible();
      await expectAccessible(page);

      await page.goto("/sites");
      await settle(page, /\/sites$/);
      await page.getByText(domain).first().waitFor();
      await page.getByRole("link", { name: "Çağrı Kitabevi" }).first().click();
      await settle(page, /\/sites\/\d+/);
      await expect(page.getByText(domain).first()).toBeVisible();
    });
  });
}

test.describe("on a phone, in Arabic", () => {
  test.use({ look: { locale: "ar", theme: "light" }, viewport: { width: 360, height: 740 } });

  for (const path of ["/sign-in", "/sign-up", "/forgot-password", "/verify-email", "/docs"]) {
    test(`${path} fits and mirrors`, async ({ page }) => {
      await page.goto(path);
      await settle(page, new RegExp(path));
      await expect(page.locator("html")).toHaveAttribute("dir", "rtl");
    });
  }

  test("the panel fits and mirrors", async ({ page, signIn }) => {
    test.slow();
    await signIn(page, "customer@example.com");
    for (const path of ["/dashboard", "/sites", "/sites/new", "/sites/1", "/settings/profile"]) {
      await page.goto(path);
      await settle(page, new RegExp(path));
    }
  });
});

test("what a person may not reach says so", async ({ page, signIn }) => {
  await signIn(page, "agent@example.com");
  await page.goto("/sites/1");
  await settle(page, /\/sites\/1/);
  for (const path of ["/sites/3", "/sites/999999", "/sites/new", "/no-such-page"]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expectAccessible(page);
  }
});
