import { invalidField } from "@/server/core/errors";
import { iterateBoxes } from "./boxes";
import { damagedFileError, refusedFormatError } from "./detected-file";

/** OpenDocument and EPUB declare their type in an uncompressed first entry. */
const DECLARED_TYPE = /^mimetypeapplication\/(?:(epub)|vnd\.oasis\.opendocument\.([a-z-]{1,40}))/;
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
const PROTECTED_ENTRY_NAMES = ["EncryptedPackage\0", "EncryptionInfo\0"].map((name) =>
  Buffer.from(name, "utf16le"),
);
const [COMPOUND_HEADER_LENGTH, COMPOUND_ENTRY_LENGTH] = [512, 128];
const COMPOUND_SIGNATURE = "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1";
const ZIP_ENTRY_SIGNATURE = "PK\x03\x04";
const ZIP_ENTRY_NAME_AT = 30;
const EMPTY_ZIP_SIGNATURE = "PK\x05\x06";
const FILLER_TYPES = /^(free|skip|wide|uuid)$/;

/** Throws `validation` with a specific reason for refused formats that resemble accepted ones. */
export function rejectMisleadingFormats(head: Buffer): void {
  const text = head.toString("latin1", 0, 200);
  if (text.startsWith(EMPTY_ZIP_SIGNATURE)) throw invalidField("file", "media_empty_archive");
  if (text.startsWith(COMPOUND_SIGNATURE) && isPasswordProtected(head))
    throw invalidField("file", "media_password");
  const [declaration, epub, openDocumentType] =
    DECLARED_TYPE.exec(text.startsWith(ZIP_ENTRY_SIGNATURE) ? text.slice(ZIP_ENTRY_NAME_AT) : "") ?? [];
  if (declaration)
    throw refusedFormatError(epub ? "EPUB" : (OPEN_DOCUMENTS[openDocumentType!] ?? "OpenDocument"));
  if (hasLateBrand(head)) throw damagedFileError("mp4");
}

function isPasswordProtected(head: Buffer): boolean {
  for (let at = COMPOUND_HEADER_LENGTH; at < head.length; at += COMPOUND_ENTRY_LENGTH)
    if (PROTECTED_ENTRY_NAMES.some((name) => head.subarray(at, at + name.length).equals(name))) return true;
  return false;
}

/** Returns true for an MP4 whose brand follows other boxes. Receivers expect the brand first. */
function hasLateBrand(head: Buffer): boolean {
  let isAfterFiller = false;
  for (const { type, start } of iterateBoxes(head, { start: 0, end: head.length })) {
    if (type === "ftyp") return isAfterFiller && head.toString("latin1", start, start + 4) !== "qt  ";
    if (!FILLER_TYPES.test(type)) return false;
    isAfterFiller = true;
  }
  return false;
}
