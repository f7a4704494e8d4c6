import { ARABIC, expect, expectAccessible, expectPage, open, test } from "./fixtures";

const PIXEL_PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
  "base64",
);

test.use(ARABIC);

test("a reseller sets a brand's name, colour and icon, and customers see them on the portal", {
  tag: "@main",
}, async ({ page, signIn, origin, context, t }) => {
  await signIn(page, "reseller@example.com");
  await open(page, "/reseller/branding");
  const card = page.getByRole("region", { name: t("branding.card"), exact: true });
  await card.getByLabel(t("branding.name"), { exact: true }).fill("Arslan Yardım");
  await card.getByLabel(t("branding.color"), { exact: false }).first().fill("#00FF66");
  await card.getByLabel(t("branding.supportEmail"), { exact: false }).fill("destek@arslan.example.com");
  await card.getByRole("button", { name: t("branding.save"), exact: true }).click();
  await expect(page.getByText(t("responses.brand_saved")).first()).toBeVisible();
  const shellBrand = page.getByRole("link").filter({ hasText: "Arslan Yardım" });
  await expect(shellBrand, "without a reload").toHaveCount(1);
  const oldIcon = await shellBrand.locator("img").getAttribute("src");
  const uploadButtonName = `${t("branding.upload")}: ${t("branding.picture.icon")}`;
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    card.getByRole("button", { name: uploadButtonName, exact: true }).click(),
  ]);
  await chooser.setFiles({ name: "icon.png", mimeType: "image/png", buffer: PIXEL_PNG });
  await expect(page.getByText(t("branding.saved")).first()).toBeVisible();
  await expect(shellBrand.locator("img")).not.toHaveAttribute("src", oldIcon!);

  await page.getByRole("button", { name: t("portal.check"), exact: true }).click();
  await expect(page.getByText(t("portal.checkName.answer"))).toBeVisible();
  for (const [oldPath, targetUrl] of [
    ["/settings/portal", /\/reseller\/branding$/],
    ["/settings/mail", /\/reseller\/mail$/],
  ] as const) {
    await page.goto(oldPath);
    await expectPage(page, targetUrl);
  }

  const portalUrl = `http://arslan.localhost:${new URL(origin).port}`;
  await context.addCookies([
    { name: "locale", value: "ar", url: portalUrl },
    { name: "theme", value: "dark", url: portalUrl },
  ]);
  await open(page, `${portalUrl}/sign-in`);
  await expect(page).toHaveTitle(/· Arslan Yardım$/);
  await expect(page.getByRole("link", { name: "destek@arslan.example.com" })).toBeVisible();
  await expect(
    page.getByRole("button", { name: "Google" }),
    "its callback is on the platform's domain",
  ).toHaveCount(0);
  await expectAccessible(page);
  await page.getByLabel(t("auth.email"), { exact: true }).fill("customer2@example.com");
  await page.getByLabel(t("auth.signIn.password"), { exact: true }).fill("demo-password");
  await page.getByRole("button", { name: t("auth.signIn.submit"), exact: true }).click();
  await expectPage(page, /arslan\.localhost:\d+\/dashboard$/);
  await expect(page).toHaveTitle(/· Arslan Yardım$/);
  expect(await page.content()).not.toContain("Tellal");

  await open(page, `${portalUrl}/sites`);
  await page.getByRole("main").getByRole("link", { name: "Şahin Mağaza" }).first().click();
  await expectPage(page, /arslan\.localhost:\d+\/sites\/\d+/);
  await open(page, `${portalUrl}/billing`);
  await expect(page.getByRole("link", { name: "destek@arslan.example.com" }).first()).toBeVisible();
});

test("pages stay readable with any brand colour", async ({ page, signIn, t }) => {
  await signIn(page, "reseller@example.com");
  await open(page, "/reseller/branding");
  const card = page.getByRole("region", { name: t("branding.card"), exact: true });
  const saveButton = card.getByRole("button", { name: t("branding.save"), exact: true });
  for (const color of ["#FFFF00", "#808080", "#00FF66", "#111111"]) {
    await card.getByLabel(t("branding.color"), { exact: false }).first().fill(color);
    await saveButton.click();
    await expect(page.getByText(t("responses.brand_saved")).first()).toBeVisible();
    await expect(saveButton, "the notice may belong to the previous colour").not.toHaveAttribute("aria-busy");
    await expectAccessible(page);
  }
});
