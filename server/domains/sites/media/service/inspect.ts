import { countedInvalidField, invalidField } from "@/server/core/errors";
import { cleanFileName } from "@/server/core/file-name";
import {
  FORMAT_TITLES_TEXT,
  isNameAllowed,
  MAX_BYTES_BY_KIND,
  MEDIA_FORMATS,
  type MediaFormat,
} from "../policy";
import { detectFamily, type FormatFamily, getKindOfFamily, TITLE_BY_FAMILY } from "./detect-family";
import type { DetectedFile, SpooledUpload } from "./detected-file";
import { inspectArchive } from "./inspect-archive";
import { inspectAudioFrames } from "./inspect-audio";
import { inspectOgg } from "./inspect-ogg";
import { inspectPdf } from "./inspect-pdf";
import { inspectVideo } from "./inspect-video";
import { removeBytesBefore } from "./late-audio";

const MB = 1_048_576;

export async function getSizeLimit(
  head: Buffer,
  name: string | null,
): Promise<{ limit: number; tooLarge: () => Error }> {
  const { family } = await detectFamily(head, cleanFileName(name ?? ""));
  const limit = MAX_BYTES_BY_KIND[getKindOfFamily(family)];
  return { limit, tooLarge: () => tooLargeError(TITLE_BY_FAMILY[family], limit) };
}

const tooLargeError = (title: string, limit: number) => {
  const error = countedInvalidField("file", "media_large", { found: title, max: limit / MB });
  // The client is still sending: close instead of reading the remaining bytes.
  error.extras.headers = { connection: "close" };
  return error;
};

export async function inspectFile(spooled: SpooledUpload, name: string | null): Promise<DetectedFile> {
  const { family, start } = await detectFamily(spooled.head, cleanFileName(name ?? ""));
  if (start > 0) await removeBytesBefore(spooled, start);
  const result = await inspectors[family](spooled);
  if (result.format === "m4a" && spooled.size > MAX_BYTES_BY_KIND.audio)
    throw tooLargeError("M4A", MAX_BYTES_BY_KIND.audio);
  return result;
}

/** Accepts an image without inspection: sharp validates it later, when it is re-encoded. */
const acceptImage = (format: MediaFormat) => () => Promise.resolve<DetectedFile>({ format });

const inspectors: Record<FormatFamily, (spooled: SpooledUpload) => Promise<DetectedFile>> = {
  jpg: acceptImage("jpg"),
  png: acceptImage("png"),
  webp: acceptImage("webp"),
  iso: inspectVideo,
  mp3: inspectAudioFrames,
  aac: inspectAudioFrames,
  tagged: inspectAudioFrames,
  ogg: inspectOgg,
  pdf: inspectPdf,
  zip: inspectArchive,
};

export function requireAllowedName(name: string | null, format: MediaFormat): void {
  const cleanName = cleanFileName(name ?? "");
  if (isNameAllowed(cleanName, format)) return;
  const extension = cleanName.split(".").at(-1)!;
  throw invalidField("file", "media_name", {
    found: MEDIA_FORMATS[format].title,
    extension,
    allowed: FORMAT_TITLES_TEXT,
  });
}
