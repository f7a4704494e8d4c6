import { invalidField } from "@/server/core/errors";
import { detectFileType } from "@/server/infrastructure/file-type";
import { FORMAT_TITLES_TEXT, getFormatOfName, MEDIA_FORMATS, type MediaKind } from "../policy";
import { refusedFormatError } from "./detected-file";
import { findLateAudio } from "./late-audio";
import { rejectMisleadingFormats } from "./refused-formats";

/** `iso` and `zip` contain several formats; `tagged` is audio after an ID3 tag. */
export type FormatFamily = "jpg" | "png" | "webp" | "iso" | "mp3" | "aac" | "ogg" | "tagged" | "pdf" | "zip";

export const ADTS_SIGNATURE = /^\xFF[\xF0\xF1\xF8\xF9]/;
/** Signatures of accepted families. The first match wins, so keep the order. */
const SIGNATURES: ReadonlyArray<[string | RegExp, FormatFamily]> = [
  ["\xFF\xD8\xFF", "jpg"],
  ["\x89PNG\r\n\x1A\n", "png"],
  [/^RIFF[\s\S]{4}WEBPVP8[ LX]/, "webp"],
  [/^[\s\S]{4}ftyp/, "iso"],
  ["OggS", "ogg"],
  ["ID3", "tagged"],
  [/^%PDF-\d/, "pdf"],
  ["PK\x03\x04", "zip"],
  [ADTS_SIGNATURE, "aac"],
  [/^\xFF[\xE2\xE3\xEA\xEB\xF2\xF3\xFA\xFB]/, "mp3"],
];
/** Readers accept a PDF header within the first 1,024 bytes, e.g. after a byte order mark or mail headers. */
const PDF_HEADER_WINDOW_BYTES = 1024;
const PDF_HEADER = /%PDF-\d/;

interface DetectedFamily {
  family: FormatFamily;
  /** First byte of the audio; 0 for all other families. */
  start: number;
}

/** Under an MP3 or AAC name, also finds audio that starts later. Throws `validation` for other content. */
export async function detectFamily(head: Buffer, name: string): Promise<DetectedFamily> {
  rejectMisleadingFormats(head);
  const text = head.subarray(0, PDF_HEADER_WINDOW_BYTES + 8).toString("latin1");
  const matchingSignature = SIGNATURES.find(([signature]) =>
    typeof signature === "string" ? text.startsWith(signature) : signature.test(text),
  );
  if (matchingSignature) return { family: matchingSignature[1], start: 0 };
  const otherType = await detectFileType(head);
  if (otherType && !Object.hasOwn(MEDIA_FORMATS, otherType.extension))
    throw refusedFormatError(otherType.title);
  const isProgram = text.startsWith("#!");
  if (PDF_HEADER.test(text) && !isProgram) return { family: "pdf", start: 0 };
  const nameFormat = getFormatOfName(name);
  const lateAudio = (nameFormat === "mp3" || nameFormat === "aac") && !isProgram && findLateAudio(head);
  if (lateAudio) return lateAudio;
  throw invalidField("file", "media_unknown", { allowed: FORMAT_TITLES_TEXT });
}

/** Returns the kind whose size limit applies during the upload. Tracks decide the kind of `iso` later. */
export function getKindOfFamily(family: FormatFamily): MediaKind {
  if (family === "jpg" || family === "png" || family === "webp") return "image";
  return family === "iso" || family === "pdf" || family === "zip" ? "document" : "audio";
}

export const TITLE_BY_FAMILY: Record<FormatFamily, string> = {
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
