import pLimit from "p-limit";
import { invalid, invalidCounted, isAppError } from "@/server/core/errors";
import { fileTypeOf } from "./file-type";

/** Limits the memory for decoding: a small file can contain many pixels. */
const PICTURE_MAX_PIXELS = 40_000_000;
const HEAD = 65_536;
/** Limits memory: decoding a picture may take 160 MB. */
const queued = pLimit(2);

let library: ReturnType<typeof loadSharp> | undefined;

/** Loads sharp on first use, restricted to the formats that may be uploaded. */
async function loadSharp() {
  const { default: sharp } = await import("sharp");
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({ operation: ["VipsForeignLoadJpeg", "VipsForeignLoadPng", "VipsForeignLoadWebp"] });
  return sharp;
}

function imageType(bytes: Uint8Array): "jpeg" | "png" | "webp" | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 16)).toString("latin1");
  if (head.startsWith("\xFF\xD8\xFF")) return "jpeg";
  if (head.startsWith("\x89PNG\r\n\x1A\n")) return "png";
  return head.startsWith("RIFF") && head.slice(8, 12) === "WEBP" ? "webp" : undefined;
}

type Picture = import("sharp").Sharp;

/**
 * Re-encodes an uploaded picture with `draw`: upright and without metadata. Throws `validation` on `file` for
 * types other than JPEG, PNG and WEBP, more than 40 megapixels, and incomplete files.
 */
export async function redrawPicture(bytes: Uint8Array, draw: (picture: Picture) => Picture): Promise<Buffer> {
  const type = imageType(bytes);
  if (!type) {
    const other = await fileTypeOf(bytes.subarray(0, HEAD));
    throw other ? invalid("file", "image_format", { found: other.title }) : invalid("file", "image_type");
  }
  return queued(redraw, bytes, type, draw);
}

async function redraw(bytes: Uint8Array, type: string, draw: (picture: Picture) => Picture): Promise<Buffer> {
  library ??= loadSharp();
  const sharp = await library;
  const options = { failOn: FAIL_ON.asSent, limitInputPixels: false, sequentialRead: true } as const;
  const info = await sharp(bytes, options)
    .metadata()
    .catch(() => undefined);
  if (!info?.width || !info.height || info.format !== type) throw invalidCounted("file", "image_broken");
  // Before decoding: the size is declared in the header.
  if (info.width * info.height > PICTURE_MAX_PIXELS)
    throw invalidCounted("file", "image_pixels", { max: PICTURE_MAX_PIXELS / 1_000_000 });
  const encode = (content: Uint8Array, failOn: FailOn) => {
    const upright = sharp(content, { ...options, failOn, limitInputPixels: PICTURE_MAX_PIXELS }).rotate();
    return draw(upright).timeout({ seconds: 10 }).toBuffer();
  };
  return withEndMarker(bytes, encode).catch(() => {
    throw invalidCounted("file", "image_broken");
  });
}

/** A JPEG without end marker counts as truncated; with an added one, missing data is only a warning. */
const FAIL_ON = { asSent: "truncated", ended: "warning" } as const;
export type FailOn = (typeof FAIL_ON)[keyof typeof FAIL_ON];
const END_OF_JPEG = Buffer.from([0xff, 0xd9]);

/** Retries `draw` with an added end marker for a JPEG that lacks only that. */
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
