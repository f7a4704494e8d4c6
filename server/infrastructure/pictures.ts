import pLimit from "p-limit";
import { invalid, invalidCounted, isAppError } from "@/server/core/errors";
import { fileTypeOf } from "./file-type";

/** Pixels that a picture may have; a small file can hold many. */
const PICTURE_MAX_PIXELS = 40_000_000;
/** Bytes by which another type is recognised. */
const HEAD = 65_536;
/** Pictures decoded at once; each may take 160 MB. */
const inTurn = pLimit(2);

let library: ReturnType<typeof loadSharp> | undefined;

/** Loads the library, once, with the first picture; of all the formats it can read, only those that may be uploaded. */
async function loadSharp() {
  const { default: sharp } = await import("sharp");
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({ operation: ["VipsForeignLoadJpeg", "VipsForeignLoadPng", "VipsForeignLoadWebp"] });
  return sharp;
}

/** Detects a file's type by its first bytes, whatever its name. */
function imageType(bytes: Uint8Array): "jpeg" | "png" | "webp" | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 16)).toString("latin1");
  if (head.startsWith("\xFF\xD8\xFF")) return "jpeg";
  if (head.startsWith("\x89PNG\r\n\x1A\n")) return "png";
  return head.startsWith("RIFF") && head.slice(8, 12) === "WEBP" ? "webp" : undefined;
}

/** A picture that is to be drawn, of whatever it was made with. */
type Picture = import("sharp").Sharp;

/**
 * Draws an uploaded picture anew: upright, as `draw` says, without any metadata. Throws `validation` on `file` for another
 * type than JPEG, PNG and WEBP, too many pixels, and incomplete files.
 */
export async function redrawn(bytes: Uint8Array, draw: (picture: Picture) => Picture): Promise<Buffer> {
  const type = imageType(bytes);
  if (!type) {
    const other = await fileTypeOf(bytes.subarray(0, HEAD));
    throw other ? invalid("file", "image_format", { found: other.title }) : invalid("file", "image_type");
  }
  return inTurn(redraw, bytes, type, draw);
}

async function redraw(bytes: Uint8Array, type: string, draw: (picture: Picture) => Picture): Promise<Buffer> {
  library ??= loadSharp();
  const sharp = await library;
  const options = { failOn: FAIL_ON.asSent, limitInputPixels: false, sequentialRead: true } as const;
  const info = await sharp(bytes, options)
    .metadata()
    .catch(() => undefined);
  if (!info?.width || !info.height || info.format !== type) throw invalidCounted("file", "image_broken");
  // The header declares the size, so nothing is decoded yet.
  if (info.width * info.height > PICTURE_MAX_PIXELS)
    throw invalidCounted("file", "image_pixels", { max: PICTURE_MAX_PIXELS / 1_000_000 });
  const drawn = (sent: Uint8Array, failOn: FailOn) => {
    const upright = sharp(sent, { ...options, failOn, limitInputPixels: PICTURE_MAX_PIXELS }).rotate();
    return draw(upright).timeout({ seconds: 10 }).toBuffer();
  };
  return withEndMarker(bytes, drawn).catch(() => {
    throw invalidCounted("file", "image_broken");
  });
}

/** Without its end marker every JPEG is truncated. With one that we add, only a warning says that more is missing. */
const FAIL_ON = { asSent: "truncated", ended: "warning" } as const;
export type FailOn = (typeof FAIL_ON)[keyof typeof FAIL_ON];
const END_OF_JPEG = Buffer.from([0xff, 0xd9]);

/** Calls `draw` again for a JPEG whose end marker alone is missing. */
export async function withEndMarker<T>(
  bytes: Uint8Array,
  draw: (bytes: Uint8Array, failOn: FailOn) => Promise<T>,
): Promise<T> {
  try {
    return await draw(bytes, FAIL_ON.asSent);
  } catch (error) {
    if (isAppError(error) || imageType(bytes) !== "jpeg" || END_OF_JPEG.equals(bytes.subarray(-2)))
      throw error;
    return draw(Buffer.concat([bytes, END_OF_JPEG]), FAIL_ON.ended);
  }
}
