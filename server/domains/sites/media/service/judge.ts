import { invalid, invalidCounted } from "@/server/core/errors";
import { cleanFileName } from "@/server/core/file-name";
import { ALLOWED, FORMATS, type Format, isNameFor, MAX_BYTES } from "../policy";
import { judgeArchive } from "./judge-archive";
import type { Judged, Spooled } from "./judge-bytes";
import { judgeFilm } from "./judge-film";
import { judgePdf } from "./judge-pdf";
import { judgeFrames, judgeOgg } from "./judge-sound";
import { FAMILY_TITLE, type Family, familyOf, kindOf } from "./recognise";

const MB = 1_048_576;

/** Returns the size limit by the first bytes. Throws `validation` for formats that are never stored. */
export async function limitOf(head: Buffer): Promise<{ limit: number; tooLarge: () => Error }> {
  const family = await familyOf(head);
  const limit = MAX_BYTES[kindOf(family)];
  return { limit, tooLarge: () => beyond(FAMILY_TITLE[family], limit) };
}

const beyond = (found: string, limit: number) => {
  const error = invalidCounted("file", "media_large", { found, max: limit / MB });
  error.extras.headers = { connection: "close" };
  return error;
};

/** Judges a complete file by its content. Pictures are judged by the library that redraws them. */
export async function judge(spooled: Spooled): Promise<Judged> {
  const judged = await byFamily[await familyOf(spooled.head)](spooled);
  if (judged.format === "m4a" && spooled.size > MAX_BYTES.audio) throw beyond("M4A", MAX_BYTES.audio);
  return judged;
}

const picture = (format: Format) => () => Promise.resolve<Judged>({ format });

const byFamily: Record<Family, (spooled: Spooled) => Promise<Judged>> = {
  jpg: picture("jpg"),
  png: picture("png"),
  webp: picture("webp"),
  iso: judgeFilm,
  mp3: judgeFrames,
  aac: judgeFrames,
  tagged: judgeFrames,
  ogg: judgeOgg,
  pdf: judgePdf,
  zip: judgeArchive,
};

/** Refuses a name of another kind than the content, or of a format that is never stored. */
export function requireName(name: string | null, format: Format): void {
  const clean = cleanFileName(name ?? "");
  if (isNameFor(clean, format)) return;
  const extension = clean.split(".").at(-1)!;
  throw invalid("file", "media_name", { found: FORMATS[format].title, extension, allowed: ALLOWED });
}
