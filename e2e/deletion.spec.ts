import { expect, expectAccessible, expectNoSidewaysScroll, LOOKS, test } from "./fixtures";

for (const look of [LOOKS[0], LOOKS[3]]) {
  test.describe(`${look.locale} ${look.theme}`, () => {
    test.use({ look });

    test("an account is deleted by code, and its certificate can be checked", async ({
      page,
      mailsTo,
      request,
      origin,
      member: newcomer,
    }) => {
      await page.goto("/sign-in?next=%2Fsettings%2Fprivacy");
      await page.locator("input[name=email]").fill(newcomer.email);
      await page.locator("input[name=password]").fill(newcomer.password);
      await page.locator("form button[type=submit]").first().click();
      await expect(page).toHaveURL(/\/settings\/privacy/);
      await page.waitForLoadState("networkidle");
      await expectAccessible(page);
      await expectNoSidewaysScroll(page);

      await page.locator("main footer button, main section button").last().click();
      const dialog = page.getByRole("dialog");
      await dialog.locator("input[name=confirmation]").fill("HAYIR");
      await dialog.locator("button[type=submit]").click();
      await expect(dialog.locator("input[name=confirmation]")).toHaveAttribute("aria-invalid", "true");
      await expectAccessible(page);
      await dialog.locator("form + button").click();
      await dialog.locator("p + button").click();
      await expect(dialog.locator("input[name=code]")).toBeVisible();
      const mail = (await mailsTo(newcomer.email)).find(({ text }) => /^\D*\b\d{6}\b/.test(text));
      const code = /\b\d{6}\b/.exec(mail?.text ?? "")?.[0] ?? "";
      expect(mail?.locale).toBe(look.locale);
      await dialog.locator("input[name=code]").fill(code === "000000" ? "111111" : "000000");
      await dialog.locator("button[type=submit]").click();
      await expect(dialog.locator("input[name=code]")).toHaveAttribute("aria-invalid", "true");
      await dialog.locator("input[name=code]").fill(code);
      await dialog.locator("button[type=submit]").click();

      await expect(page).toHaveURL(/\/certificates\/\w{26}\?code=/);
      await page.waitForLoadState("networkidle");
      await expectAccessible(page);
      await expectNoSidewaysScroll(page);
      const certificate = new URL(page.url());
      await page.goto("/dashboard");
      await expect(page).toHaveURL(/\/sign-in/);
      const login = await request.post(`${origin}/api/auth/login`, {
        data: { email: newcomer.email, password: newcomer.password },
      });
      expect(login.status()).toBe(401);

      await page.goto(certificate.pathname);
      await page.locator("input[name=code]").fill("wrong");
      await page.locator("main form button[type=submit]").click();
      await expect(page.getByRole("alert").first()).toBeVisible();
      await expectAccessible(page);
      await page.locator("input[name=code]").fill(certificate.searchParams.get("code") ?? "");
      await page.locator("main form button[type=submit]").click();
      await expect(page.getByText(certificate.pathname.split("/").at(-1)!)).toBeVisible();
    });
  });
}
