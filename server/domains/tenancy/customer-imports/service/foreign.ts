/** A file of another kind that people choose for a table. Each has a text that says how to make a CSV file of it. */
export type ForeignKind = "excel" | "opendocument" | "numbers" | "vcard" | "other";

const startsWith = (bytes: Uint8Array, ...signature: number[]) =>
  signature.every((byte, index) => bytes[index] === byte);

/** Names what is no text with rows; undefined for anything that may be one. */
export function foreignKindOf(bytes: Uint8Array): ForeignKind | undefined {
  const has = (text: string) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(text);
  if (startsWith(bytes, 0x50, 0x4b, 0x03, 0x04)) {
    if (has("opendocument.spreadsheet")) return "opendocument";
    if (has("Index/") && has(".iwa")) return "numbers";
    return has("xl/") ? "excel" : "other";
  }
  if (startsWith(bytes, 0xd0, 0xcf, 0x11, 0xe0)) return "excel";
  const begin = new TextDecoder(bytes[1] === 0 || bytes[0] === 0xff ? "utf-16le" : "utf-8")
    .decode(bytes.subarray(0, 512))
    .trimStart()
    .toLowerCase();
  if (begin.startsWith("begin:vcard")) return "vcard";
  // Some web pages offer a page or XML as a file for Excel.
  if (/^(<!doctype html|<html|<table|<\?xml|<\?mso)/.test(begin))
    return begin.includes("office") ? "excel" : "other";
  return /^(%pdf-|\{\\rtf|(\[\s*)?\{\s*")/.test(begin) ? "other" : undefined;
}
