import { invalid } from "@/server/core/errors";
import { fileTypeOf } from "@/server/infrastructure/file-type";
import { ALLOWED, FORMATS, formatOfName, type MediaKind } from "../policy";
import { refusedFormat } from "./judge-bytes";
import { findLateAudio } from "./late-audio";
import { refuseMisleading } from "./refused-formats";

/** `iso` and `zip` contain several formats; `tagged` is audio after an ID3 tag. */
export type Family = "jpg" | "png" | "webp" | "iso" | "mp3" | "aac" | "ogg" | "tagged" | "pdf" | "zip";

export const ADTS = /^\xFF[\xF0\xF1\xF8\xF9]/;
/** Signatures of accepted families; the first match is final. */
const SIGNATURES: ReadonlyArray<[string | RegExp, Family]> = [
  ["\xFF\xD8\xFF", "jpg"],
  ["\x89PNG\r\n\x1A\n", "png"],
  [/^RIFF[\s\S]{4}WEBPVP8[ LX]/, "webp"],
  [/^[\s\S]{4}ftyp/, "iso"],
  ["OggS", "ogg"],
  ["ID3", "tagged"],
  [/^%PDF-\d/, "pdf"],
  ["PK\x03\x04", "zip"],
  [ADTS, "aac"],
  [/^\xFF[\xE2\xE3\xEA\xEB\xF2\xF3\xFA\xFB]/, "mp3"],
];
/** Readers accept a PDF header within the first 1,024 bytes, e.g. after a byte order mark or mail headers. */
const PDF_WITHIN = 1024;
const PDF_LATE = /%PDF-\d/;

interface Recognised {
  family: Family;
  start: number;
}

/**
 * Detects the family by the first bytes. Only MP3 and AAC names enable the search for audio that starts late.
 * Throws `validation` for formats that are not accepted.
 */
export async function recognise(head: Buffer, name: string): Promise<Recognised> {
  refuseMisleading(head);
  const text = head.subarray(0, PDF_WITHIN + 8).toString("latin1");
  const match = SIGNATURES.find(([signature]) =>
    typeof signature === "string" ? text.startsWith(signature) : signature.test(text),
  );
  if (match) return { family: match[1], start: 0 };
  const other = await fileTypeOf(head);
  if (other && !Object.hasOwn(FORMATS, other.extension)) throw refusedFormat(other.title);
  const isProgram = text.startsWith("#!");
  if (PDF_LATE.test(text) && !isProgram) return { family: "pdf", start: 0 };
  const nameFormat = formatOfName(name);
  const lateAudio = (nameFormat === "mp3" || nameFormat === "aac") && !isProgram && findLateAudio(head);
  if (lateAudio) return lateAudio;
  throw invalid("file", "media_unknown", { allowed: ALLOWED });
}

/** Kind whose size limit applies during the upload. An `iso` file is classified by its tracks later. */
export function kindOf(family: Family): MediaKind {
  if (family === "jpg" || family === "png" || family === "webp") return "image";
  return family === "iso" || family === "pdf" || family === "zip" ? "document" : "audio";
}

export const FAMILY_TITLE: Record<Family, string> = {
  jpg: "JPEG",
  png: "PNG",
  webp: "WEBP",
  iso: "MP4",
  mp3: "MP3",
  aac: "AAC",
  ogg: "OGG",
  tagged: "MP3",
  pdf: "PDF",
  zip: "ZIP",
};
