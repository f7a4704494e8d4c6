import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { isAppError } from "@/server/core/errors";
import { redrawPicture } from "./pictures";

const createRedPicture = (width = 8, height = 4) =>
  sharp({ create: { width, height, channels: 3, background: { r: 200, g: 10, b: 10 } } });
const createPhonePictureHead = (brand: string) =>
  Buffer.from(`\0\0\0\x18ftyp${brand}\0\0\0\0mif1heic`.padEnd(400, "\0"), "latin1");

async function redrawAndDescribe(bytes: Uint8Array): Promise<unknown> {
  try {
    const redrawn = await redrawPicture(bytes, (picture) => picture.png());
    const { width, height, space, depth } = await sharp(redrawn).metadata();
    const [r = 0, g = 0] = await sharp(redrawn).raw().toBuffer();
    return { width, height, space, depth, isRed: r > 150 && g < 90 };
  } catch (error) {
    return isAppError(error) ? error.extras.issues : error;
  }
}

describe("a picture for an avatar or a logo", () => {
  it.each([
    ["a CMYK JPEG of a print shop", () => createRedPicture().toColourspace("cmyk").jpeg().toBuffer()],
    ["a progressive JPEG", () => createRedPicture().jpeg({ progressive: true }).toBuffer()],
    ["a PNG of 16 bits", () => createRedPicture().toColourspace("rgb16").png().toBuffer()],
    [
      "an interlaced PNG with a palette",
      () => createRedPicture().png({ palette: true, progressive: true }).toBuffer(),
    ],
    [
      "a JPEG of a phone with a second picture behind it",
      async () =>
        Buffer.concat([
          await createRedPicture().jpeg().toBuffer(),
          await createRedPicture(2, 2).jpeg().toBuffer(),
        ]),
    ],
    ["a JPEG on its side", () => createRedPicture(4, 8).withMetadata({ orientation: 6 }).jpeg().toBuffer()],
  ])("can be %s", async (_, createPicture) => {
    expect(await redrawAndDescribe(await createPicture())).toEqual({
      width: 8,
      height: 4,
      space: "srgb",
      depth: "uchar",
      isRed: true,
    });
  });

  it.each([
    ["HEIC", createPhonePictureHead("heic")],
    ["HEIC", createPhonePictureHead("mif1")],
    ["AVIF", createPhonePictureHead("avif")],
    ["GIF", Buffer.from("GIF89a\x01\0\x01\0\0\0\0")],
    ["PDF", Buffer.from("%PDF-1.4\n")],
    ["SVG", Buffer.from("<svg xmlns='x'/>")],
  ])("is rejected with the name of its format if it is %s", async (format, bytes) => {
    expect(await redrawAndDescribe(bytes)).toEqual({
      file: [{ key: "image_format", params: { found: format } }],
    });
  });

  it("is rejected without a name if its format is unknown", async () => {
    expect(await redrawAndDescribe(Buffer.from("abcdefgh"))).toMatchObject({ file: [{ key: "image_type" }] });
  });
});
