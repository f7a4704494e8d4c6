import pLimit from "p-limit";
import { countedInvalidField, invalidField, isAppError } from "@/server/core/errors";
import { detectFileType } from "./file-type";

/** Limits the memory for decoding: a small file can contain many pixels. */
const MAX_PIXELS = 40_000_000;
const TYPE_HEAD_BYTES = 65_536;
/** Limits memory: decoding a picture may take 160 MB. */
const limitDecoding = pLimit(2);

let sharpPromise: ReturnType<typeof loadSharp> | undefined;

/** Loads sharp on first use, restricted to the formats that may be uploaded. */
async function loadSharp() {
  const { default: sharp } = await import("sharp");
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({ operation: ["VipsForeignLoadJpeg", "VipsForeignLoadPng", "VipsForeignLoadWebp"] });
  return sharp;
}

function detectImageType(bytes: Uint8Array): "jpeg" | "png" | "webp" | undefined {
  const firstBytes = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 16)).toString(
    "latin1",
  );
  if (firstBytes.startsWith("\xFF\xD8\xFF")) return "jpeg";
  if (firstBytes.startsWith("\x89PNG\r\n\x1A\n")) return "png";
  return firstBytes.startsWith("RIFF") && firstBytes.slice(8, 12) === "WEBP" ? "webp" : undefined;
}

type Picture = import("sharp").Sharp;

/** Re-encodes an uploaded picture with `draw`, without metadata; throws `validation` on `file`. */
export async function redrawPicture(bytes: Uint8Array, draw: (picture: Picture) => Picture): Promise<Buffer> {
  const type = detectImageType(bytes);
  if (!type) {
    const detectedType = await detectFileType(bytes.subarray(0, TYPE_HEAD_BYTES));
    throw detectedType
      ? invalidField("file", "image_format", { found: detectedType.title })
      : invalidField("file", "image_type");
  }
  return limitDecoding(decodeAndRedraw, bytes, type, draw);
}

async function decodeAndRedraw(
  bytes: Uint8Array,
  type: string,
  draw: (picture: Picture) => Picture,
): Promise<Buffer> {
  sharpPromise ??= loadSharp();
  const sharp = await sharpPromise;
  const options = { failOn: FAIL_ON.asSent, limitInputPixels: false, sequentialRead: true } as const;
  const metadata = await sharp(bytes, options)
    .metadata()
    .catch(() => undefined);
  if (!metadata?.width || !metadata.height || metadata.format !== type)
    throw countedInvalidField("file", "image_broken");
  // Before decoding: the size is declared in the header.
  if (metadata.width * metadata.height > MAX_PIXELS)
    throw countedInvalidField("file", "image_pixels", { max: MAX_PIXELS / 1_000_000 });
  const encode = (content: Uint8Array, failOn: FailOn) => {
    const uprightPicture = sharp(content, { ...options, failOn, limitInputPixels: MAX_PIXELS }).rotate();
    return draw(uprightPicture).timeout({ seconds: 10 }).toBuffer();
  };
  return retryWithEndMarker(bytes, encode).catch(() => {
    throw countedInvalidField("file", "image_broken");
  });
}

/** A JPEG without end marker counts as truncated; with an added one, missing data is only a warning. */
const FAIL_ON = { asSent: "truncated", ended: "warning" } as const;
export type FailOn = (typeof FAIL_ON)[keyof typeof FAIL_ON];
const JPEG_END_MARKER = Buffer.from([0xff, 0xd9]);

/** Retries `draw` with an added end marker for a JPEG that lacks only that. */
export async function retryWithEndMarker<T>(
  bytes: Uint8Array,
  draw: (bytes: Uint8Array, failOn: FailOn) => Promise<T>,
): Promise<T> {
  try {
    return await draw(bytes, FAIL_ON.asSent);
  } catch (error) {
    if (isAppError(error) || detectImageType(bytes) !== "jpeg" || JPEG_END_MARKER.equals(bytes.subarray(-2)))
      throw error;
    return draw(Buffer.concat([bytes, JPEG_END_MARKER]), FAIL_ON.ended);
  }
}
