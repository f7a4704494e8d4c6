import type { Page } from "@playwright/test";
import sharp from "sharp";
import { ARABIC_PHONE, expect, expectAccessible, open, test } from "./fixtures";

// The trace recorder fetches `blob:` images, which the content security policy blocks.
test.use({ ...ARABIC_PHONE, trace: "off" });

async function chooseFile(page: Page, buttonName: string, buffer: Buffer): Promise<void> {
  const chooserEvent = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: buttonName }).click();
  await (await chooserEvent).setFiles({ name: "x.jpg", mimeType: "image/jpeg", buffer });
}

test("an avatar is chosen, previewed, saved, shown in the header and removed", async ({
  page,
  signIn,
  t,
}) => {
  const redImage = { create: { width: 600, height: 300, channels: 3, background: "#b91c1c" } } as const;
  const jpeg = await sharp(redImage).jpeg().toBuffer();
  await signIn(page, "reseller@example.com");
  await open(page, "/settings/profile");
  const avatarGroup = page.getByRole("group", { name: t("settings.avatar.title") });

  await chooseFile(page, t("settings.avatar.choose"), Buffer.from("<svg/>"));
  await expect(avatarGroup.getByRole("alert"), "rejected by its content").toBeVisible();
  await expectAccessible(page);
  await chooseFile(page, t("settings.avatar.choose"), jpeg);
  await expect(avatarGroup.getByText(t("settings.avatar.preview"))).toBeVisible();
  // By CSS: the avatar is decorative, so it has neither role nor text.
  await expect(avatarGroup.locator("img[src^='blob:']")).toBeVisible();
  await avatarGroup.getByRole("button", { name: t("settings.avatar.save") }).click();
  const headerAvatar = page.getByRole("banner").locator("img[src^='/media/avatars/']");
  await expect(headerAvatar).toBeVisible();
  await expect
    .poll(() => headerAvatar.evaluate((image) => (image as HTMLImageElement).naturalWidth))
    .toBe(256);

  await avatarGroup.getByRole("button", { name: t("settings.avatar.remove") }).click();
  await expect(headerAvatar).toHaveCount(0);
  await open(page, page.url());
  await expect(page.getByRole("banner")).toBeVisible();
  await expect(page.getByRole("banner").locator("img")).toHaveCount(0);
});
