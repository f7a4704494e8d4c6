import type { Page } from "@playwright/test";
import sharp from "sharp";
import { ARABIC_PHONE, expect, expectAccessible, open, test } from "./fixtures";

// A trace's recorder fetches every blob: picture it sees, which the content policy rightly refuses.
test.use({ ...ARABIC_PHONE, trace: "off" });

/** Presses a button that opens the system's window, and takes a file there. */
async function choose(page: Page, button: string, buffer: Buffer): Promise<void> {
  const opened = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: button }).click();
  await (await opened).setFiles({ name: "x.jpg", mimeType: "image/jpeg", buffer });
}

test("a picture is chosen, previewed, kept, shown in the shell, and taken away", async ({
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
  await expect(picture.getByRole("alert"), "judged by its content").toBeVisible();
  await expectAccessible(page);
  await choose(page, t("settings.avatar.choose"), buffer);
  await expect(picture.getByText(t("settings.avatar.preview"))).toBeVisible();
  // By CSS: a person's picture stands beside the name, so it has neither role nor text.
  await expect(picture.locator("img[src^='blob:']")).toBeVisible();
  await picture.getByRole("button", { name: t("settings.avatar.save") }).click();
  const shown = page.getByRole("banner").locator("img[src^='/media/avatars/']");
  await expect(shown).toBeVisible();
  await expect.poll(() => shown.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(256);

  await picture.getByRole("button", { name: t("settings.avatar.remove") }).click();
  await expect(shown).toHaveCount(0);
  await open(page, page.url());
  await expect(page.getByRole("banner")).toBeVisible();
  await expect(page.getByRole("banner").locator("img")).toHaveCount(0);
});
