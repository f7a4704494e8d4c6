import { invalid } from "@/server/core/errors";
import { ALLOWED, type Format, type MediaKind } from "../policy";
import { otherFormat } from "./judge-bytes";

/** What the first bytes say. `iso` and `zip` hold several formats, `tagged` is sound behind a block of names. */
export type Family = "jpg" | "png" | "webp" | "iso" | "mp3" | "aac" | "ogg" | "tagged" | "pdf" | "zip";

/** How files begin that people try and that are not stored, to name what was found. */
const STARTS: Readonly<Record<string, string>> = {
  GIF8: "GIF",
  "II*\0": "TIFF",
  "MM\0*": "TIFF",
  BM: "BMP",
  "\x1AE\xDF\xA3": "Matroska or WEBM",
  fLaC: "FLAC",
  "#!AMR": "AMR",
  "0&\xB2u\x8Ef\xCF\x11": "ASF (WMA, WMV)",
  "FLV\x01": "FLV",
  "\xD0\xCF\x11\xE0": "DOC, XLS or PPT",
  "Rar!": "RAR",
  "7z\xBC\xAF": "7Z",
  "\x1F\x8B": "GZIP",
  MZ: "EXE",
  "\x7FELF": "ELF",
  "{\\rtf": "RTF",
};
const MARKUP: ReadonlyArray<[RegExp, string]> = [
  [/^(<\?xml[^>]*>\s*)?(<!--[\s\S]*?-->\s*)?(<!doctype svg[^>]*>\s*)?<svg[\s/>]/i, "SVG"],
  [/^(<!--[\s\S]*?-->\s*)?<(!doctype html|html|head|body|script|iframe)[\s>]/i, "HTML"],
  [/^<\?xml/i, "XML"],
  [/^RIFF[\s\S]{4}WAVE/, "WAV"],
  [/^RIFF[\s\S]{4}AVI /, "AVI"],
];

/** What a file is that is not stored, as far as its first bytes say. */
function titleOf(text: string): string | undefined {
  const start = Object.keys(STARTS).find((each) => text.startsWith(each));
  if (start) return STARTS[start];
  const words = text.replace("\xEF\xBB\xBF", "").trimStart();
  return MARKUP.find(([begins]) => begins.test(words))?.[1];
}

/** Tells the family by the first bytes, whatever the file calls itself. Throws `validation` for any other file. */
export function familyOf(head: Buffer): Family {
  const text = head.subarray(0, 1024).toString("latin1");
  if (text.startsWith("\xFF\xD8\xFF")) return "jpg";
  if (text.startsWith("\x89PNG\r\n\x1A\n")) return "png";
  if (/^RIFF[\s\S]{4}WEBPVP8[ LX]/.test(text)) return "webp";
  if (text.slice(4, 8) === "ftyp") return "iso";
  if (text.startsWith("OggS")) return "ogg";
  if (text.startsWith("ID3")) return "tagged";
  if (/^%PDF-[12]\./.test(text)) return "pdf";
  if (text.startsWith("PK\x03\x04")) return "zip";
  const [first = 0, second = 0] = head;
  if (first === 0xff && (second & 0xf6) === 0xf0) return "aac";
  if (first === 0xff && (second & 0xe6) === 0xe2) return "mp3";
  const title = titleOf(text);
  throw title ? otherFormat(title) : invalid("file", "media_unknown", { allowed: ALLOWED });
}

/** The kind whose limit holds while the file arrives; what an `iso` file is, its tracks say later. */
export function kindOf(family: Family): MediaKind {
  if (family === "jpg" || family === "png" || family === "webp") return "image";
  return family === "iso" || family === "pdf" || family === "zip" ? "document" : "audio";
}

/** What a family is called before its format is known. */
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
} satisfies Record<Family, string> & Partial<Record<Format, string>>;
