import sharp from "sharp";
import { expect, expectAccessible, expectNoSidewaysScroll, LOOKS, test } from "./fixtures";

// The trace recorder fetches every blob: picture it sees, which the content security policy rightly refuses.
test.use({ trace: "off" });

for (const look of [LOOKS[0], LOOKS[3]]) {
  test.describe(`${look.locale} ${look.theme}`, () => {
    test.use({
      look,
      viewport: look.locale === "ar" ? { width: 390, height: 844 } : { width: 1280, height: 900 },
    });

    test("a picture is chosen, previewed, kept, shown in the shell, and taken away", async ({
      page,
      signIn,
    }) => {
      const red = { create: { width: 600, height: 300, channels: 3, background: "#b91c1c" } } as const;
      const buffer = await sharp(red).jpeg().toBuffer();
      await signIn(page, look.locale === "ar" ? "reseller@example.com" : "customer@example.com");
      await page.goto("/settings/profile");
      await page.waitForLoadState("networkidle");
      const picture = page.locator("main fieldset").first();
      const input = picture.locator("input[type=file]");

      await input.setInputFiles({ name: "x.jpg", mimeType: "image/jpeg", buffer: Buffer.from("<svg/>") });
      await picture.getByRole("button").first().click();
      await expect(picture.getByRole("alert"), "judged by its content").toBeVisible();
      await expectAccessible(page);
      await input.setInputFiles({ name: "x.jpg", mimeType: "image/jpeg", buffer });
      await expect(picture.locator("img[src^='blob:']")).toBeVisible();
      await picture.getByRole("button").first().click();
      const shown = page.getByRole("banner").locator("img[src^='/media/avatars/']");
      await expect(shown).toBeVisible();
      await expect.poll(() => shown.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(256);
      await expectAccessible(page);
      await expectNoSidewaysScroll(page);

      await picture.getByRole("button").last().click();
      await expect(shown).toHaveCount(0);
      await page.reload();
      await expect(page.getByRole("banner").locator("img")).toHaveCount(0);
    });
  });
}
