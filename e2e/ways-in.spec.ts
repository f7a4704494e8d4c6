import { readFileSync } from "node:fs";
import { Secret, TOTP } from "otpauth";
import { withAuthenticator } from "./authenticator";
import { expect, expectAccessible, LOOKS, test } from "./fixtures";

const words = (locale: string) => JSON.parse(readFileSync(`messages/generated/${locale}.json`, "utf8"));

for (const look of [LOOKS[0], LOOKS[3]]) {
  test.describe(`${look.locale} ${look.theme}`, () => {
    test.use({ look });

    test("a recovery code, a code, a remembered device, a passkey; a new password opens nothing by itself", async ({
      page,
      origin,
      mailsTo,
      member,
    }) => {
      test.slow();
      const dialog = page.locator("[role=dialog]:not([aria-modal=false])");
      const submit = page.locator("form button[type=submit]").first();
      const code = page.locator("input[name=code]");
      const inside = () => expect(page).toHaveURL(/\/settings\/security/);

      async function signIn(): Promise<void> {
        await page.context().clearCookies({ name: "session" });
        await page.goto("/sign-in?next=%2Fsettings%2Fsecurity");
        await page.locator("input[name=email]").fill(member.email);
        await page.locator("input[name=password]").fill(member.password);
        await submit.click();
      }

      await signIn();
      await inside();
      await page.waitForLoadState("networkidle");
      await page.locator("main li button").first().click();
      const shown = page.locator("[data-secret]");
      await expect(shown).toBeVisible();
      const app = new TOTP({ secret: Secret.fromBase32((await shown.textContent())?.trim() ?? "") });
      let spent = app.counter();
      await code.fill(app.generate());
      await dialog.locator("button[type=submit]").click();
      const codes = dialog.locator("li").filter({ hasText: /^\w{4}(-\w{4}){3}$/ });
      await expect(codes).toHaveCount(10);
      const recovery = (await codes.first().textContent()) ?? "";
      await dialog.locator("button").last().click();
      await code.fill(recovery);
      await dialog.locator("button[type=submit]").click();
      await expect(dialog).toHaveCount(0);

      /** Returns an unused value: each step of the app counts once, and one step ahead is accepted. */
      async function nextCode(): Promise<string> {
        await expect.poll(() => app.counter() + 1, { timeout: 65_000 }).toBeGreaterThan(spent);
        spent = app.counter() + 1;
        return app.generate({ timestamp: Date.now() + 30_000 });
      }

      await signIn();
      await page.getByRole("button", { name: words(look.locale).auth.second.use.recovery }).click();
      await code.fill(recovery);
      await submit.click();
      await inside();

      await signIn();
      await expect(code).toBeVisible();
      await expectAccessible(page);
      await page.getByRole("checkbox").check();
      await code.fill(await nextCode());
      await submit.click();
      await inside();

      await signIn();
      await inside();
      await page.waitForLoadState("networkidle");
      const { remove } = await withAuthenticator(page);
      await page
        .locator("main button")
        .filter({ has: page.locator(".lucide-plus") })
        .click();
      // A trusted device does not prove who uses it: adding a sign-in method asks for a code.
      await dialog
        .locator("input")
        .first()
        .fill(await nextCode());
      await dialog.locator("button[type=submit]").click();
      await expect(page.locator("main li").filter({ has: page.locator(".lucide-key-round") })).toHaveCount(1);

      await page.context().clearCookies({ name: "session" });
      await page.goto("/sign-in?next=%2Fsettings%2Fsecurity");
      await inside();
      await remove();

      await page.context().clearCookies({ name: "session" });
      await page.goto("/forgot-password");
      await page.locator("input[name=email]").fill(member.email);
      await submit.click();
      await expect(page.locator("input[name=email]")).toHaveCount(0);
      let link = "";
      await expect
        .poll(async () => {
          const texts = (await mailsTo(member.email)).map(({ text }) => text).join("\n");
          link = /https?:\S+\/reset-password\?\S+/.exec(texts)?.[0] ?? "";
          return link;
        })
        .not.toBe("");
      await page.goto(origin + new URL(link).pathname + new URL(link).search);
      await page.locator("input[name=password]").fill("yeni-ve-uzun-parola");
      await submit.click();
      // The trusted device is forgotten with the old password.
      await expect(code).toBeVisible();
      await expectAccessible(page);
      await page.goto("/dashboard");
      await expect(page).toHaveURL(/\/sign-in/);

      await page.locator("input[name=email]").fill(member.email);
      await page.locator("input[name=password]").fill("yeni-ve-uzun-parola");
      await submit.click();
      await expect(code).toBeVisible();
      await code.fill(await nextCode());
      await submit.click();
      await expect(page).toHaveURL(/\/dashboard/);
    });
  });
}
