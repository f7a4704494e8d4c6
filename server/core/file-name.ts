/** Control and format characters and unpaired surrogates. Joiners are kept: emoji and Persian need them. */
const INVISIBLE = /(?![\u200C\u200D])[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;

/** Cleans a client's file name of path, invisible characters and trailing dots; may return "". */
export function cleanFileName(name: string): string {
  const baseName = name.toWellFormed().normalize("NFC").split(/[/\\]/).at(-1)!;
  const visible = baseName
    .replace(/\s+/g, " ")
    .replace(INVISIBLE, "")
    .replace(/ {2,}/g, " ")
    .replaceAll("\uFF0E", ".")
    .trim();
  let end = visible.length;
  while (end > 0 && ". ".includes(visible[end - 1]!)) end--;
  return visible.slice(0, end);
}

/** Returns a `Content-Disposition` (RFC 6266): non-ASCII names as `filename*` with an ASCII fallback. */
export function buildContentDisposition(
  type: "attachment" | "inline",
  name: string,
  fallback: string = toAsciiName(name),
): string {
  const extended = name === fallback ? "" : `; filename*=UTF-8''${encodeExtended(name)}`;
  return `${type}; filename="${toAsciiName(fallback)}"${extended}`;
}

/** Replaces `"` and `\`, which would end the value, and `%`, which some browsers decode. */
const toAsciiName = (name: string) =>
  name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^\x20-\x7E]|["%\\]/gu, "_");

/** RFC 8187 also requires these characters to be encoded. */
const encodeExtended = (name: string) =>
  encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`,
  );
