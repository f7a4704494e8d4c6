import { expect, expectAccessible, expectNoSidewaysScroll, LOOKS, test } from "./fixtures";

test("a person changes profile, address and password, and takes the address back", async ({
  page,
  mailsTo,
  request,
  origin,
  newcomer,
}) => {
  test.slow();
  const consents = { terms: true, privacy: true, yurtdisi: true, cagri_kayit: true, marketing: true };
  await request.post(`${origin}/api/auth/register`, {
    data: { ...newcomer, phone: "+905321112233", password_confirmation: newcomer.password, consents },
  });
  const verificationFor = async (address: string) =>
    (await mailsTo(address)).map(({ text }) => /dsv_\w+/.exec(text)?.[0]).find(Boolean);
  await request.post(`${origin}/api/auth/verify-email`, {
    data: { token: await verificationFor(newcomer.email) },
  });
  const login = async (email: string, password: string) =>
    (await request.post(`${origin}/api/auth/login`, { data: { email, password } })).status();

  await page.goto("/sign-in?next=%2Fsettings%2Fprofile");
  await page.locator("input[name=email]").fill(newcomer.email);
  await page.locator("input[name=password]").fill(newcomer.password);
  await page.locator("form button[type=submit]").first().click();
  await expect(page).toHaveURL(/\/settings\/profile/);
  await page.waitForLoadState("networkidle");
  await expectAccessible(page);

  const details = page.locator("form").first();
  const moved = newcomer.email.replace("isil", "isil.yeni");
  await details.locator("input[name=name]").fill("Işıl Çağlar Öz");
  await details.locator("input[name=email]").fill(moved);
  await expect(details.getByText(/72 saat/), "what it means is said before").toBeVisible();
  await expectAccessible(page);
  await details.locator("button[type=submit]").click();
  await expect(page.getByRole("banner").getByText("Işıl Çağlar Öz")).toBeVisible();
  await page.reload();
  await expect(page.locator("form").first().locator("input[name=email]")).toHaveValue(moved);

  await request.post(`${origin}/api/auth/verify-email`, { data: { token: await verificationFor(moved) } });
  await page.reload();
  await page.getByRole("button", { name: "SMS ile doğrula" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.locator("input[name=code]")).toBeVisible();
  await expectAccessible(page);
  const codes = (await mailsTo(moved)).map(({ text }) => / #(\d{6})$/.exec(text)?.[1]);
  await dialog.locator("input[name=code]").fill(codes.find(Boolean) ?? "");
  await dialog.locator("button[type=submit]").click();
  await expect(dialog.locator("input[name=code]")).toBeHidden();
  await expect(page.getByRole("button", { name: "SMS ile doğrula" })).toHaveCount(0);

  await page.goto("/settings/security");
  const form = page.locator("#password form");
  const changed = `${newcomer.password}-2`;
  await form.locator("input[name=current_password]").fill("yanlış-parola");
  await form.locator("input[name=new_password]").fill(changed);
  await form.locator("button[type=submit]").click();
  await expect(form.locator("input[name=current_password]")).toHaveAttribute("aria-invalid", "true");
  await form.locator("input[name=current_password]").fill(newcomer.password);
  await form.locator("button[type=submit]").click();
  await expect(page.locator("#password time")).toBeVisible();
  await expectAccessible(page);

  await page.goto("/settings/consents");
  const marketing = page.getByRole("switch").first();
  await expect(marketing).toBeChecked();
  await marketing.click();
  await expect(marketing).not.toBeChecked();
  await page.reload();
  await expect(page.getByRole("switch").first()).not.toBeChecked();
  await page.waitForLoadState("networkidle");
  await expectAccessible(page);

  const notice = (await mailsTo(newcomer.email)).find(({ text }) => text.includes("/undo-email-change"));
  const link = /http\S+undo-email-change\S+/.exec(notice?.text ?? "")?.[0] ?? "";
  await page.goto(link.replace(/^https?:\/\/[^/]+/, ""));
  await expectAccessible(page);
  expect(page.url(), "the secret leaves the address bar").not.toContain("token");
  expect(await login(newcomer.email, changed), "opening the page changes nothing").toBe(401);
  await page.locator("form button[type=submit]").click();
  await expect(page.getByRole("link", { name: /yeni parola/i })).toBeVisible();
  await expectAccessible(page);
  expect(await login(newcomer.email, changed)).toBe(200);
  await page.goto("/settings/profile");
  await expect(page, "every session ended").toHaveURL(/\/sign-in/);
});

for (const look of [LOOKS[0], LOOKS[3]]) {
  test.describe(`${look.locale} ${look.theme}`, () => {
    test.use({
      look,
      viewport: look.locale === "ar" ? { width: 390, height: 844 } : { width: 1280, height: 900 },
    });

    test("menu entries are named, shown at once, and reset", async ({ page, signIn }) => {
      const [sites, docs] = look.locale === "ar" ? ["متاجري", "مساعدة"] : ["Dükkânlarım", "Yardım köşesi"];
      await signIn(page, "admin@example.com");
      await page.goto("/settings/menu");
      await page.waitForLoadState("networkidle");
      await expectAccessible(page);
      await page.locator("input[name='menu_labels.sites']").fill(`<b>${sites}</b>`);
      await page.locator("input[name='menu_labels.docs']").fill(docs);
      await expect(
        page.locator("[inert]").getByText(sites, { exact: true }),
        "the preview follows",
      ).toBeVisible();
      await page.locator("main form button[type=submit]").click();
      await expect(page.locator("input[name='menu_labels.sites']")).toHaveValue(sites);
      const menu = page.getByRole("navigation").filter({ visible: true });
      await expect(menu.getByText(sites, { exact: true }).first()).toBeVisible();
      await expectAccessible(page);
      await expectNoSidewaysScroll(page);

      await page.locator("main form button[type=submit] + button").click();
      await page.locator("main form button[type=submit]").click();
      await expect(menu.getByText(sites, { exact: true })).toHaveCount(0);
    });
  });
}
