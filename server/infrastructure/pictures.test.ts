import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { isAppError } from "@/server/core/errors";
import { redrawPicture } from "./pictures";

const red = (width = 8, height = 4) =>
  sharp({ create: { width, height, channels: 3, background: { r: 200, g: 10, b: 10 } } });
const phoneStart = (brand: string) =>
  Buffer.from(`\0\0\0\x18ftyp${brand}\0\0\0\0mif1heic`.padEnd(400, "\0"), "latin1");

async function outcome(bytes: Uint8Array): Promise<unknown> {
  try {
    const drawn = await redrawPicture(bytes, (picture) => picture.png());
    const { width, height, space, depth } = await sharp(drawn).metadata();
    const [r = 0, g = 0] = await sharp(drawn).raw().toBuffer();
    return { width, height, space, depth, isRed: r > 150 && g < 90 };
  } catch (error) {
    return isAppError(error) ? error.extras.issues : error;
  }
}

describe("a picture for an avatar or a logo", () => {
  it.each([
    ["a CMYK JPEG of a print shop", () => red().toColourspace("cmyk").jpeg().toBuffer()],
    ["a progressive JPEG", () => red().jpeg({ progressive: true }).toBuffer()],
    ["a PNG of 16 bits", () => red().toColourspace("rgb16").png().toBuffer()],
    ["an interlaced PNG with a palette", () => red().png({ palette: true, progressive: true }).toBuffer()],
    [
      "a JPEG of a phone with a second picture behind it",
      async () => Buffer.concat([await red().jpeg().toBuffer(), await red(2, 2).jpeg().toBuffer()]),
    ],
    ["a JPEG on its side", () => red(4, 8).withMetadata({ orientation: 6 }).jpeg().toBuffer()],
  ])("can be %s", async (_, make) => {
    expect(await outcome(await make())).toEqual({
      width: 8,
      height: 4,
      space: "srgb",
      depth: "uchar",
      isRed: true,
    });
  });

  it.each([
    ["HEIC", phoneStart("heic")],
    ["HEIC", phoneStart("mif1")],
    ["AVIF", phoneStart("avif")],
    ["GIF", Buffer.from("GIF89a\x01\0\x01\0\0\0\0")],
    ["PDF", Buffer.from("%PDF-1.4\n")],
    ["SVG", Buffer.from("<svg xmlns='x'/>")],
  ])("is rejected with the name of its format if it is %s", async (format, bytes) => {
    expect(await outcome(bytes)).toEqual({ file: [{ key: "image_format", params: { found: format } }] });
  });

  it("is rejected without a name if its format is unknown", async () => {
    expect(await outcome(Buffer.from("abcdefgh"))).toMatchObject({ file: [{ key: "image_type" }] });
  });
});
