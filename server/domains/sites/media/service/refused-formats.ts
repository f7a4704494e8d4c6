import { invalid } from "@/server/core/errors";
import { boxesIn } from "./boxes";
import { damagedFile, refusedFormat } from "./judge-bytes";

/** OpenDocument and EPUB declare their type in an uncompressed first entry. */
const DECLARED = /^mimetypeapplication\/(?:(epub)|vnd\.oasis\.opendocument\.([a-z-]{1,40}))/;
const OPEN_DOCUMENTS: Readonly<Record<string, string>> = {
  text: "ODT",
  "text-template": "OTT",
  spreadsheet: "ODS",
  "spreadsheet-template": "OTS",
  presentation: "ODP",
  "presentation-template": "OTP",
  graphics: "ODG",
};
/** Office stores password-protected documents in a DOC container with entries of these names. */
const PROTECTED = ["EncryptedPackage\0", "EncryptionInfo\0"].map((name) => Buffer.from(name, "utf16le"));
const [HEADER, ENTRY_LENGTH] = [512, 128];
const COMPOUND = "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1";
const ENTRY = "PK\x03\x04";
const NAME_AT = 30;
const EMPTY_ARCHIVE = "PK\x05\x06";
const FILLERS = /^(free|skip|wide|uuid)$/;

/** Throws `validation` for files whose first bytes look like another format. */
export function refuseMisleading(head: Buffer): void {
  const text = head.toString("latin1", 0, 200);
  if (text.startsWith(EMPTY_ARCHIVE)) throw invalid("file", "media_empty_archive");
  if (text.startsWith(COMPOUND) && isProtected(head)) throw invalid("file", "media_password");
  const [declared, book, type] = DECLARED.exec(text.startsWith(ENTRY) ? text.slice(NAME_AT) : "") ?? [];
  if (declared) throw refusedFormat(book ? "EPUB" : (OPEN_DOCUMENTS[type!] ?? "OpenDocument"));
  if (isLateFilm(head)) throw damagedFile("mp4");
}

function isProtected(head: Buffer): boolean {
  for (let at = HEADER; at < head.length; at += ENTRY_LENGTH)
    if (PROTECTED.some((name) => head.subarray(at, at + name.length).equals(name))) return true;
  return false;
}

/** True if the brand of an MP4 comes after other boxes; receivers expect it first. */
function isLateFilm(head: Buffer): boolean {
  let isLate = false;
  for (const { type, start } of boxesIn(head, { start: 0, end: head.length })) {
    if (type === "ftyp") return isLate && head.toString("latin1", start, start + 4) !== "qt  ";
    if (!FILLERS.test(type)) return false;
    isLate = true;
  }
  return false;
}
