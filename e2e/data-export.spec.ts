import { expect, expectAccessible, expectFocusKept, expectNoSidewaysScroll, LOOKS, test } from "./fixtures";

for (const look of [LOOKS[0], LOOKS[3]]) {
  test.describe(`${look.locale} ${look.theme}`, () => {
    test.use({
      look,
      viewport: look.locale === "ar" ? { width: 390, height: 844 } : { width: 1280, height: 900 },
    });

    test("a person asks for a copy of the data and downloads it from the mail", async ({
      page,
      request,
      origin,
      newcomer,
      mailsTo,
    }) => {
      const consents = { terms: true, privacy: true, yurtdisi: true, cagri_kayit: true };
      await request.post(`${origin}/api/auth/register`, {
        data: { ...newcomer, phone: "+905321112233", password_confirmation: newcomer.password, consents },
      });
      const verification = /dsv_\w+/.exec((await mailsTo(newcomer.email))[0]?.text ?? "")?.[0];
      await request.post(`${origin}/api/auth/verify-email`, { data: { token: verification } });
      await page.goto("/sign-in?next=%2Fsettings%2Fprivacy");
      await page.locator("input[name=email]").fill(newcomer.email);
      await page.locator("input[name=password]").fill(newcomer.password);
      await page.locator("form button[type=submit]").first().click();
      await expect(page).toHaveURL(/\/settings\/privacy/);
      await page.waitForLoadState("networkidle");

      const card = page.locator("section").filter({ has: page.locator("summary") });
      await card.locator("summary").click();
      await expectAccessible(page);
      await expectNoSidewaysScroll(page);
      await card.getByRole("button").click();
      await expect(card.locator("time"), "the page follows the job").toBeVisible();
      await expectFocusKept(page);
      await expectAccessible(page);

      const mail = (await mailsTo(newcomer.email)).find(({ text }) => text.includes("/api/user/export/"));
      const link = new URL(/http\S+\/api\/user\/export\/\S+/.exec(mail?.text ?? "")?.[0] ?? "");
      const archive = await request.get(origin + link.pathname + link.search);
      expect([archive.status(), archive.headers()["content-type"]]).toEqual([200, "application/zip"]);
      expect((await archive.body()).subarray(0, 2).toString()).toBe("PK");
    });
  });
}

test("a button sends once however fast it is pressed, and says when the server is not there", async ({
  page,
  signIn,
}) => {
  await signIn(page, "reseller@example.com");
  await page.goto("/settings/privacy");
  await page.waitForLoadState("networkidle");
  const ask = page
    .locator("section")
    .filter({ has: page.locator("summary") })
    .getByRole("button");
  let sent = 0;
  await page.route("**/trpc/dataExport.request**", (route) => {
    sent++;
    // As a proxy speaks: nothing that the panel can read.
    return route.fulfill({ status: 404, contentType: "text/plain", body: "nobody here" });
  });
  await ask.evaluate((button: HTMLButtonElement) => {
    button.click();
    button.click();
  });
  await expect(page.getByText(/bağlantı/i).first(), "in the reader's words").toBeVisible();
  expect(sent).toBe(1);
  await expect(ask, "and can be pressed again").not.toHaveAttribute("aria-busy");
});
