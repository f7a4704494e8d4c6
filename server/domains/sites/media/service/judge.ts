import { invalid, invalidCounted } from "@/server/core/errors";
import { cleanFileName } from "@/server/core/file-name";
import { ALLOWED, FORMATS, type Format, isNameFor, MAX_BYTES } from "../policy";
import { judgeArchive } from "./judge-archive";
import { judgeFrames } from "./judge-audio";
import type { DetectedFile, Spooled } from "./judge-bytes";
import { judgeOgg } from "./judge-ogg";
import { judgePdf } from "./judge-pdf";
import { judgeVideo } from "./judge-video";
import { removeBefore } from "./late-audio";
import { FAMILY_TITLE, type Family, kindOf, recognise } from "./recognise";

const MB = 1_048_576;

/** Returns the size limit by the first bytes. Throws `validation` for formats that are not accepted. */
export async function limitOf(
  head: Buffer,
  name: string | null,
): Promise<{ limit: number; tooLarge: () => Error }> {
  const { family } = await recognise(head, cleanFileName(name ?? ""));
  const limit = MAX_BYTES[kindOf(family)];
  return { limit, tooLarge: () => tooLargeError(FAMILY_TITLE[family], limit) };
}

const tooLargeError = (title: string, limit: number) => {
  const error = invalidCounted("file", "media_large", { found: title, max: limit / MB });
  error.extras.headers = { connection: "close" };
  return error;
};

export async function judge(spooled: Spooled, name: string | null): Promise<DetectedFile> {
  const { family, start } = await recognise(spooled.head, cleanFileName(name ?? ""));
  if (start > 0) await removeBefore(spooled, start);
  const result = await byFamily[family](spooled);
  if (result.format === "m4a" && spooled.size > MAX_BYTES.audio) throw tooLargeError("M4A", MAX_BYTES.audio);
  return result;
}

/** Images are validated when sharp re-encodes them. */
const picture = (format: Format) => () => Promise.resolve<DetectedFile>({ format });

const byFamily: Record<Family, (spooled: Spooled) => Promise<DetectedFile>> = {
  jpg: picture("jpg"),
  png: picture("png"),
  webp: picture("webp"),
  iso: judgeVideo,
  mp3: judgeFrames,
  aac: judgeFrames,
  tagged: judgeFrames,
  ogg: judgeOgg,
  pdf: judgePdf,
  zip: judgeArchive,
};

/** Refuses names with the extension of another kind, or of a format that is not accepted. */
export function requireName(name: string | null, format: Format): void {
  const clean = cleanFileName(name ?? "");
  if (isNameFor(clean, format)) return;
  const extension = clean.split(".").at(-1)!;
  throw invalid("file", "media_name", { found: FORMATS[format].title, extension, allowed: ALLOWED });
}
