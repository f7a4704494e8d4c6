import { decodeByCodePage } from "./code-pages";

const MAX_SAMPLE_BYTES = 4096;

/** `problem` is the end of an error text's key, such as `import_is_encoding`. */
export type DecodeResult = { text: string } | { problem: "other" | "encoding" };

/** Decodes UTF-8, UTF-16 or the best code page. Removes NUL, which databases leave in cells. */
export function decodeFile(bytes: Uint8Array): DecodeResult {
  const text = decodeText(bytes);
  if (isBinary(text ?? Buffer.from(bytes).toString("latin1"))) return { problem: "other" };
  if (text === undefined) return { problem: "encoding" };
  return { text: text.replaceAll("\0", "").replace(/^(\uFEFF|\u00EF\u00BB\u00BF)/, "") };
}

function decodeText(bytes: Uint8Array): string | undefined {
  const [firstByte, secondByte] = bytes;
  if (firstByte === 0xff && secondByte === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (firstByte === 0xfe && secondByte === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  const utf16 = detectUtf16(bytes);
  if (utf16) return new TextDecoder(utf16).decode(bytes);
  const text = new TextDecoder("utf-8").decode(bytes);
  return isUtf8(text) ? text : decodeByCodePage(bytes);
}

/** Detects UTF-16 without a byte order mark: the high byte of most characters is zero. */
function detectUtf16(bytes: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  const zeroCounts = [0, 0];
  const length = Math.min(bytes.length, MAX_SAMPLE_BYTES);
  for (let index = 0; index < length; index++) if (bytes[index] === 0) zeroCounts[index % 2]!++;
  const [evenCount = 0, oddCount = 0] = zeroCounts;
  if ((evenCount + oddCount) * 10 < length) return undefined;
  if (oddCount > 10 * evenCount) return "utf-16le";
  return evenCount > 10 * oddCount ? "utf-16be" : undefined;
}

function isUtf8(text: string): boolean {
  const brokenCount = text.split("\uFFFD").length - 1;
  if (brokenCount === 0) return true;
  const nonAsciiCount = (text.match(/[^\p{ASCII}\uFFFD]/gu) ?? []).length;
  return nonAsciiCount > brokenCount;
}

/** Texts can contain a few control characters and end with zeros; binary files contain many more. */
function isBinary(text: string): boolean {
  let end = text.length;
  while (end > 0 && text[end - 1] === "\0") end--;
  const controlCount = (text.slice(0, end).match(/[^\P{Cc}\t\n\v\f\r\x80-\x9F]/gu) ?? []).length;
  return controlCount * 20 > end || (end === 0 && text.length > 0);
}
