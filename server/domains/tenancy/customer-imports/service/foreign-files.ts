export type ForeignKind = "excel" | "opendocument" | "numbers" | "vcard" | "other";

const startsWith = (bytes: Uint8Array, ...signature: number[]) =>
  signature.every((byte, index) => bytes[index] === byte);

/** Recognises a file that is not a text table; undefined for anything that may be one. */
export function detectForeignKind(bytes: Uint8Array): ForeignKind | undefined {
  const containsText = (text: string) =>
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(text);
  if (startsWith(bytes, 0x50, 0x4b, 0x03, 0x04)) {
    if (containsText("opendocument.spreadsheet")) return "opendocument";
    if (containsText("Index/") && containsText(".iwa")) return "numbers";
    return containsText("xl/") ? "excel" : "other";
  }
  if (startsWith(bytes, 0xd0, 0xcf, 0x11, 0xe0)) return "excel";
  const head = new TextDecoder(bytes[1] === 0 || bytes[0] === 0xff ? "utf-16le" : "utf-8")
    .decode(bytes.subarray(0, 512))
    .trimStart()
    .toLowerCase();
  if (head.startsWith("begin:vcard")) return "vcard";
  // Some web applications serve HTML or XML as an Excel file.
  if (/^(<!doctype html|<html|<table|<\?xml|<\?mso)/.test(head))
    return head.includes("office") ? "excel" : "other";
  return /^(%pdf-|\{\\rtf|(\[\s*)?\{\s*")/.test(head) ? "other" : undefined;
}
