import { withAuthenticator } from "./authenticator";
import { expect, expectAccessible, LOOKS, test } from "./fixtures";

const KEY = ".lucide-key-round";

for (const look of [LOOKS[0], LOOKS[3]]) {
  test.describe(`${look.locale} ${look.theme}`, () => {
    test.use({ look });

    test("a passkey is added, signs in by the button and by autofill, and is deleted", async ({
      page,
      member: newcomer,
    }) => {
      test.slow();
      await page.goto("/sign-in?next=%2Fsettings%2Fsecurity");
      await page.locator("input[name=email]").fill(newcomer.email);
      await page.locator("input[name=password]").fill(newcomer.password);
      await page.locator("form button[type=submit]").first().click();
      await expect(page).toHaveURL(/\/settings\/security/);
      await page.waitForLoadState("networkidle");

      const first = await withAuthenticator(page);
      const rows = page.locator("main li").filter({ has: page.locator(KEY) });
      const add = page.locator("main button").filter({ has: page.locator(".lucide-plus") });
      await add.click();
      await expect(rows).toHaveCount(1);
      // The same device has one already; a second device adds another.
      await add.click();
      await expect(page.getByRole("alert").or(page.getByRole("status")).last()).toBeVisible();
      await expect(rows).toHaveCount(1);
      await rows.first().getByRole("button").nth(1).click();
      const dialog = page.locator("[role=dialog]:not([aria-modal=false])");
      await dialog.locator("input[name=device_name]").fill("Işıl'ın bilgisayarı");
      await expectAccessible(page);
      await dialog.locator("button[type=submit]").click();
      await expect(rows.first()).toContainText("Işıl'ın bilgisayarı");
      await expect(dialog).toHaveCount(0);
      await expectAccessible(page);

      // Signed out: the e-mail field suggests the passkey, and presence is simulated at once.
      await page.context().clearCookies({ name: "session" });
      await page.goto("/sign-in?next=%2Fsettings%2Fsecurity");
      await expect(page, "by autofill, without a click").toHaveURL(/\/settings\/security/);
      await first.remove();

      await page.context().clearCookies({ name: "session" });
      await page.goto("/sign-in?next=%2Fsettings%2Fsecurity");
      const button = page.locator("main button").filter({ has: page.locator(KEY) });
      await expect(button).toBeVisible();
      await expectAccessible(page);
      await page.locator("input[name=email]").fill(newcomer.email);
      await page.locator("input[name=password]").fill(newcomer.password);
      await page.locator("form button[type=submit]").first().click();
      await expect(page).toHaveURL(/\/settings\/security/);
      await page.waitForLoadState("networkidle");
      const second = await withAuthenticator(page);
      await add.click();
      await expect(rows).toHaveCount(2);

      await rows.first().locator("button").last().click();
      const alert = page.locator("[role=alertdialog]");
      await expectAccessible(page);
      await alert.locator("button").last().click();
      await expect(rows).toHaveCount(1);
      await second.remove();
    });
  });
}
