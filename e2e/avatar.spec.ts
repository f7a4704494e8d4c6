import type { Page } from "@playwright/test";
import sharp from "sharp";
import { ARABIC_PHONE, expect, expectAccessible, open, test } from "./fixtures";

// The trace recorder fetches `blob:` images, which the content security policy blocks.
test.use({ ...ARABIC_PHONE, trace: "off" });

async function choose(page: Page, button: string, buffer: Buffer): Promise<void> {
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: button }).click();
  await (await chooser).setFiles({ name: "x.jpg", mimeType: "image/jpeg", buffer });
}

test("an avatar is chosen, previewed, saved, shown in the header and removed", async ({
  page,
  signIn,
  t,
}) => {
  const red = { create: { width: 600, height: 300, channels: 3, background: "#b91c1c" } } as const;
  const buffer = await sharp(red).jpeg().toBuffer();
  await signIn(page, "reseller@example.com");
  await open(page, "/settings/profile");
  const picture = page.getByRole("group", { name: t("settings.avatar.title") });

  await choose(page, t("settings.avatar.choose"), Buffer.from("<svg/>"));
  await expect(picture.getByRole("alert"), "rejected by its content").toBeVisible();
  await expectAccessible(page);
  await choose(page, t("settings.avatar.choose"), buffer);
  await expect(picture.getByText(t("settings.avatar.preview"))).toBeVisible();
  // By CSS: the avatar is decorative, so it has neither role nor text.
  await expect(picture.locator("img[src^='blob:']")).toBeVisible();
  await picture.getByRole("button", { name: t("settings.avatar.save") }).click();
  const avatar = page.getByRole("banner").locator("img[src^='/media/avatars/']");
  await expect(avatar).toBeVisible();
  await expect.poll(() => avatar.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(256);

  await picture.getByRole("button", { name: t("settings.avatar.remove") }).click();
  await expect(avatar).toHaveCount(0);
  await open(page, page.url());
  await expect(page.getByRole("banner")).toBeVisible();
  await expect(page.getByRole("banner").locator("img")).toHaveCount(0);
});
