import { invalidCounted } from "@/server/core/errors";
import { limitConcurrency } from "@/server/infrastructure/concurrency";
import { type FailOn, withEndMarker } from "@/server/infrastructure/pictures";
import { MAX_BYTES } from "./policy";
import { broken } from "./service/judge-bytes";

export type PictureFormat = "jpg" | "png" | "webp";

/** Maximum number of pixels of all frames: small files can contain very many. */
const PIXELS_MAX = 40_000_000;
const FRAMES_MAX = 100;
/** Longest side of a preview, in pixels. */
const PREVIEW = 320;
/** Qualities to try, in steps, until the image fits its size limit. */
const QUALITY = { jpg: { first: 88, last: 70 }, webp: { first: 86, last: 70 } };
const STEP = 6;

const inTurn = limitConcurrency({ running: 2, waiting: 60 });

let library: ReturnType<typeof loadSharp> | undefined;

/** Loads sharp with decoders only for the accepted formats. */
async function loadSharp() {
  const { default: sharp } = await import("sharp");
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({ operation: ["VipsForeignLoadJpeg", "VipsForeignLoadPng", "VipsForeignLoadWebp"] });
  return sharp;
}

export interface Picture {
  bytes: Buffer;
  preview: Buffer;
  width: number;
  height: number;
}

/**
 * Re-encodes an image in its own format: upright, in sRGB, without metadata and appended data. Throws
 * `validation` for too many pixels, a damaged file, or a result above the size limit.
 */
export function redraw(bytes: Buffer, format: PictureFormat): Promise<Picture> {
  return inTurn(() => drawn(bytes, format));
}

async function drawn(bytes: Buffer, format: PictureFormat): Promise<Picture> {
  library ??= loadSharp();
  const sharp = await library;
  const options = { failOn: "truncated", limitInputPixels: false, sequentialRead: true } as const;
  const info = await sharp(bytes, { ...options, animated: format === "webp" })
    .metadata()
    .catch(() => undefined);
  if (!info?.width || !info.height || info.format !== (format === "jpg" ? "jpeg" : format))
    throw broken(format);
  const frames = info.pages ?? 1;
  const height = info.pageHeight ?? info.height;
  if (frames > FRAMES_MAX || info.width * height * frames > PIXELS_MAX)
    throw invalidCounted("file", "image_pixels", { max: PIXELS_MAX / 1_000_000 });
  const open = (sent: Uint8Array, failOn: FailOn, animated: boolean) =>
    sharp(sent, { ...options, failOn, limitInputPixels: PIXELS_MAX, animated });
  const drawAll = async (sent: Uint8Array, failOn: FailOn): Promise<Picture> => {
    const source = () => {
      const image = open(sent, failOn, frames > 1);
      // sharp handles an animation as one tall image of all frames, which cannot be rotated.
      return (frames > 1 ? image : image.rotate()).toColourspace("srgb").timeout({ seconds: 20 });
    };
    const { data, info: made } = await fitting(source, format);
    const preview = await open(sent, failOn, false)
      .rotate()
      .resize(PREVIEW, PREVIEW, { fit: "inside", withoutEnlargement: true })
      .webp({ quality: 80 })
      .timeout({ seconds: 20 })
      .toBuffer();
    return { bytes: data, preview, width: made.width, height: made.pageHeight ?? made.height };
  };
  try {
    return await withEndMarker(bytes, drawAll);
  } catch (error) {
    if ((error as Error).name === "AppError") throw error;
    throw broken(format);
  }
}

type Source = () => import("sharp").Sharp;

/** Encodes at the best quality that fits the size limit. */
async function fitting(source: Source, format: PictureFormat) {
  const limit = MAX_BYTES.image;
  if (format === "png") {
    const made = await source().png({ compressionLevel: 9 }).toBuffer({ resolveWithObject: true });
    if (made.data.length > limit) throw invalidCounted("file", "media_png", { max: 5 });
    return made;
  }
  const { first, last } = QUALITY[format];
  for (let quality = first; quality >= last; quality -= STEP) {
    const image = source();
    const encoded = format === "jpg" ? image.jpeg({ quality }) : image.webp({ quality });
    const made = await encoded.toBuffer({ resolveWithObject: true });
    if (made.data.length <= limit) return made;
  }
  throw invalidCounted("file", "media_large", { found: format === "jpg" ? "JPEG" : "WEBP", max: 5 });
}
