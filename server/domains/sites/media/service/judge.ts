import { invalid, invalidCounted } from "@/server/core/errors";
import { ALLOWED, FORMATS, type Format, formatOfName, MAX_BYTES } from "../policy";
import { judgeArchive, judgePdf } from "./judge-archive";
import type { Judged, Spooled } from "./judge-bytes";
import { FAMILY_TITLE, type Family, familyOf, kindOf } from "./judge-head";
import { judgeIso } from "./judge-iso";
import { judgeFrames, judgeOgg } from "./judge-sound";

const MB = 1_048_576;

/** How many bytes a file may have, by its first ones. Throws `validation` for what is never stored. */
export function limitOf(head: Buffer): { limit: number; tooLarge: () => Error } {
  const family = familyOf(head);
  const limit = MAX_BYTES[kindOf(family)];
  return { limit, tooLarge: () => beyond(FAMILY_TITLE[family], limit) };
}

const beyond = (found: string, limit: number) => {
  const error = invalidCounted("file", "media_large", { found, max: limit / MB });
  error.extras.headers = { connection: "close" };
  return error;
};

/** Judges a complete file by its content. Pictures are judged by who draws them. */
export async function judge(spooled: Spooled): Promise<Judged> {
  const found = await byFamily[familyOf(spooled.head)](spooled);
  if (found.format === "m4a" && spooled.size > MAX_BYTES.audio) throw beyond("M4A", MAX_BYTES.audio);
  return found;
}

const picture = (format: Format) => () => Promise.resolve<Judged>({ format });

const byFamily: Record<Family, (spooled: Spooled) => Promise<Judged>> = {
  jpg: picture("jpg"),
  png: picture("png"),
  webp: picture("webp"),
  iso: judgeIso,
  mp3: judgeFrames,
  aac: judgeFrames,
  tagged: judgeFrames,
  ogg: judgeOgg,
  pdf: judgePdf,
  zip: judgeArchive,
};

/**
 * Compares a name with what its file is. Within a kind they may differ, since programs often mistake a WEBP for a JPEG;
 * a name of another kind, or of none of ours, is refused.
 */
export function requireName(name: string | null, format: Format): void {
  const said = name === null ? null : formatOfName(name.trim());
  const params = { found: FORMATS[format].title, extension: endingOf(name), allowed: ALLOWED };
  if (said === undefined || (said && FORMATS[said].kind !== FORMATS[format].kind))
    throw invalid("file", "media_name", params);
}

function endingOf(name: string | null): string {
  return (name?.trim().split(".").at(-1) ?? "").replace(/[^\p{L}\p{N}]/gu, "").slice(0, 12);
}
