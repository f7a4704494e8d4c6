import type { Page } from "@playwright/test";
import { expect, expectAccessible, expectNoSidewaysScroll, LOOKS, test } from "./fixtures";

async function settle(page: Page): Promise<void> {
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await page.waitForLoadState("networkidle");
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
}

for (const look of [LOOKS[0], LOOKS[3]]) {
  test.describe(`${look.locale} ${look.theme}`, () => {
    const viewport = look.locale === "ar" ? { width: 390, height: 844 } : { width: 1280, height: 900 };
    test.use({ look, viewport });

    test("an agent is invited, sees the one site only, and is out when deactivated", async ({
      page,
      browser,
      signIn,
      newcomer,
      mailsTo,
      origin,
    }) => {
      test.slow();
      await signIn(page, "customer@example.com");
      await page.goto("/team");
      await settle(page);
      await page.locator("header button:has(.lucide-user-plus)").click();
      const drawer = page.getByRole("dialog");
      const name = drawer.locator("input[name=name]");
      await expect(name, "a drawer begins in its first field").toBeFocused();
      await name.fill(newcomer.name);
      const question = page.getByRole("alertdialog");
      await page.keyboard.press("Escape");
      await expectAccessible(page);
      await question.getByRole("button").first().click();
      await expect(question).toHaveCount(0);
      await expect(name, "what was typed is kept").toHaveValue(newcomer.name);
      await drawer.getByRole("button").first().click();
      await question.getByRole("button").last().click();
      await expect(drawer, "or given up when asked").toHaveCount(0);
      await page.locator("header button:has(.lucide-user-plus)").click();
      await expect(name).toHaveValue("");
      await page.keyboard.press("Escape");
      await expect(drawer, "nothing typed, nothing asked").toHaveCount(0);
      await page.locator("header button:has(.lucide-user-plus)").click();
      await name.fill(newcomer.name);
      await drawer.locator("input[name=email]").fill(newcomer.email);
      await drawer.locator("button[type=submit]").click();
      await expect(drawer.locator("[aria-invalid=true]"), "an agent needs a site").toHaveCount(1);
      await drawer.getByRole("combobox").click();
      await page.getByRole("option").first().click();
      await expectAccessible(page);
      await drawer.locator("button[type=submit]").click();
      await expect(page.getByRole("row").filter({ hasText: newcomer.email })).toBeVisible();
      await settle(page);

      const mail = (await mailsTo(newcomer.email))[0];
      expect(mail?.locale).toBe(look.locale);
      const link = /http\S+\/accept-invitation\?token=\S+/.exec(mail?.text ?? "")?.[0] ?? "";
      const theirs = await browser.newContext({ viewport, locale: "tr-TR" });
      await theirs.addCookies([
        { name: "locale", value: look.locale, url: origin },
        { name: "theme", value: look.theme, url: origin },
      ]);
      const agent = await theirs.newPage();
      for (let time = 0; time < 2; time++) {
        await agent.goto(origin + new URL(link).pathname + new URL(link).search);
        await expect(agent.locator("input[name=name]"), "opening it spends nothing").toHaveValue(
          newcomer.name,
        );
      }
      await expect(agent, "the secret leaves the address bar").toHaveURL(/\/accept-invitation$/);
      await settle(agent);
      await agent.locator("input[name=password]").fill(newcomer.password);
      await agent.locator("form button[type=submit]").click();
      await expect(agent.getByRole("checkbox").first()).toHaveAttribute("aria-invalid", "true");
      for (let box = 0; box < 4; box++) await agent.getByRole("checkbox").nth(box).click();
      await agent.locator("form button[type=submit]").click();
      await expect(agent).toHaveURL(/\/dashboard/);
      await settle(agent);

      await agent.goto(`${origin}/sites`);
      await settle(agent);
      const rows = agent.locator("tbody tr");
      await expect(rows).toHaveCount(1);
      await expect(rows.first()).toContainText("Kaya Kahve");
      for (const path of ["/sites/2", "/team"]) {
        await agent.goto(origin + path);
        await expect(agent.getByText("Kaya Toptan")).toHaveCount(0);
        await settle(agent);
      }

      await page.reload();
      const row = page.getByRole("row").filter({ hasText: newcomer.email });
      await expect(row).toContainText("Kaya Kahve");
      await row.getByRole("button").last().click();
      await page.getByRole("menuitem").last().click();
      const asked = page.getByRole("alertdialog");
      await expectAccessible(page);
      await asked.getByRole("button").last().click();
      await expect(asked).toHaveCount(0);
      await agent.goto(`${origin}/sites`);
      await expect(agent, "signed out everywhere").toHaveURL(/\/sign-in/);
      await theirs.close();
    });
  });
}
