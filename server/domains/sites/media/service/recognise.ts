import { invalid } from "@/server/core/errors";
import { fileTypeOf } from "@/server/infrastructure/file-type";
import { ALLOWED, FORMATS, formatOfName, type MediaKind } from "../policy";
import { otherFormat } from "./judge-bytes";
import { lateSoundIn } from "./late-sound";
import { refuseMisleading } from "./refused-formats";

/** Family by the first bytes. `iso` and `zip` hold several formats, `tagged` is sound behind a block of names. */
export type Family = "jpg" | "png" | "webp" | "iso" | "mp3" | "aac" | "ogg" | "tagged" | "pdf" | "zip";

/** Start of a frame of AAC. */
export const ADTS = /^\xFF[\xF0\xF1\xF8\xF9]/;
/** Signatures of the accepted families. A file with one of them is judged as that and nothing else. */
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
/** Readers accept a PDF whose header is within the first 1,024 bytes, e.g. behind a byte order mark or mail headers. */
const PDF_WITHIN = 1024;
const PDF_LATE = /%PDF-\d/;

interface Recognised {
  family: Family;
  /** Bytes before the content. */
  start: number;
}

/**
 * Returns the family by the first bytes. By its name, a file is only searched for sound that begins late. Throws
 * `validation` for a file that is not stored.
 */
export async function recognise(head: Buffer, name: string): Promise<Recognised> {
  refuseMisleading(head);
  const text = head.subarray(0, PDF_WITHIN + 8).toString("latin1");
  const known = SIGNATURES.find(([signature]) =>
    typeof signature === "string" ? text.startsWith(signature) : signature.test(text),
  );
  if (known) return { family: known[1], start: 0 };
  const other = await fileTypeOf(head);
  if (other && !Object.hasOwn(FORMATS, other.extension)) throw otherFormat(other.title);
  const isProgram = text.startsWith("#!");
  if (PDF_LATE.test(text) && !isProgram) return { family: "pdf", start: 0 };
  const named = formatOfName(name);
  const late = (named === "mp3" || named === "aac") && !isProgram && lateSoundIn(head);
  if (late) return late;
  throw invalid("file", "media_unknown", { allowed: ALLOWED });
}

/** The kind whose limit applies while the file arrives; an `iso` file is judged by its tracks later. */
export function kindOf(family: Family): MediaKind {
  if (family === "jpg" || family === "png" || family === "webp") return "image";
  return family === "iso" || family === "pdf" || family === "zip" ? "document" : "audio";
}

/** Title of a family whose format is not known yet. */
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
