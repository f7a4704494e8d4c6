import { countedInvalidField } from "@/server/core/errors";
import { createTaskQueue } from "@/server/infrastructure/concurrency";
import { type FailOn, retryWithEndMarker } from "@/server/infrastructure/pictures";
import { MAX_BYTES_BY_KIND } from "./policy";
import { damagedFileError } from "./service/detected-file";

export type ImageFormat = "jpg" | "png" | "webp";

/** Maximum number of pixels of all frames together: a small file can decode to billions. */
const PIXELS_MAX = 40_000_000;
const FRAMES_MAX = 100;
const PREVIEW_SIDE_PX = 320;
const QUALITY_RANGE = { jpg: { first: 88, last: 70 }, webp: { first: 86, last: 70 } };
const QUALITY_STEP = 6;

const withReencodingLimit = createTaskQueue({ running: 2, waiting: 60 });

let sharpPromise: ReturnType<typeof loadSharp> | undefined;

async function loadSharp() {
  const { default: sharp } = await import("sharp");
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({ operation: ["VipsForeignLoadJpeg", "VipsForeignLoadPng", "VipsForeignLoadWebp"] });
  return sharp;
}

export interface ReencodedImage {
  bytes: Buffer;
  preview: Buffer;
  width: number;
  height: number;
}

/** The result is upright, in sRGB, without metadata or appended data. Throws `validation`. */
export function reencodeImage(bytes: Buffer, format: ImageFormat): Promise<ReencodedImage> {
  return withReencodingLimit(() => reencode(bytes, format));
}

async function reencode(bytes: Buffer, format: ImageFormat): Promise<ReencodedImage> {
  sharpPromise ??= loadSharp();
  const sharp = await sharpPromise;
  const options = { failOn: "truncated", limitInputPixels: false, sequentialRead: true } as const;
  const metadata = await sharp(bytes, { ...options, animated: format === "webp" })
    .metadata()
    .catch(() => undefined);
  if (!metadata?.width || !metadata.height || metadata.format !== (format === "jpg" ? "jpeg" : format))
    throw damagedFileError(format);
  const frameCount = metadata.pages ?? 1;
  const height = metadata.pageHeight ?? metadata.height;
  if (frameCount > FRAMES_MAX || metadata.width * height * frameCount > PIXELS_MAX)
    throw countedInvalidField("file", "image_pixels", { max: PIXELS_MAX / 1_000_000 });
  const openImage = (input: Uint8Array, failOn: FailOn, animated: boolean) =>
    sharp(input, { ...options, failOn, limitInputPixels: PIXELS_MAX, animated });
  const encodeWithPreview = async (input: Uint8Array, failOn: FailOn): Promise<ReencodedImage> => {
    const openSource = () => {
      const image = openImage(input, failOn, frameCount > 1);
      // sharp handles an animation as one tall image of all frames, which cannot be rotated.
      return (frameCount > 1 ? image : image.rotate()).toColourspace("srgb").timeout({ seconds: 20 });
    };
    const { data, info: output } = await encodeWithinLimit(openSource, format);
    const preview = await openImage(input, failOn, false)
      .rotate()
      .resize(PREVIEW_SIDE_PX, PREVIEW_SIDE_PX, { fit: "inside", withoutEnlargement: true })
      .webp({ quality: 80 })
      .timeout({ seconds: 20 })
      .toBuffer();
    return { bytes: data, preview, width: output.width, height: output.pageHeight ?? output.height };
  };
  try {
    return await retryWithEndMarker(bytes, encodeWithPreview);
  } catch (error) {
    if ((error as Error).name === "AppError") throw error;
    throw damagedFileError(format);
  }
}

type OpenSource = () => import("sharp").Sharp;

async function encodeWithinLimit(openSource: OpenSource, format: ImageFormat) {
  // `max: 5` in the messages below is this limit in MB.
  const maxBytes = MAX_BYTES_BY_KIND.image;
  if (format === "png") {
    const output = await openSource().png({ compressionLevel: 9 }).toBuffer({ resolveWithObject: true });
    if (output.data.length > maxBytes) throw countedInvalidField("file", "media_png", { max: 5 });
    return output;
  }
  const { first: highestQuality, last: lowestQuality } = QUALITY_RANGE[format];
  for (let quality = highestQuality; quality >= lowestQuality; quality -= QUALITY_STEP) {
    const image = openSource();
    const encoded = format === "jpg" ? image.jpeg({ quality }) : image.webp({ quality });
    const output = await encoded.toBuffer({ resolveWithObject: true });
    if (output.data.length <= maxBytes) return output;
  }
  throw countedInvalidField("file", "media_large", {
    found: format === "jpg" ? "JPEG" : "WEBP",
    max: 5,
  });
}
