/**
 * Control and format characters, direction overrides among them, and halves of pairs. Joiners stay: emoji and Persian words
 * need them.
 */
const UNSEEN = /(?![\u200C\u200D])[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;

/**
 * Returns a file's name without path and without what cannot be seen or stored; empty when nothing else is left. Windows
 * stores no dots at the end; Chinese and Japanese keyboards write wide ones.
 */
export function cleanFileName(name: string): string {
  const last = name.toWellFormed().normalize("NFC").split(/[/\\]/).at(-1)!;
  const seen = last
    .replace(/\s+/g, " ")
    .replace(UNSEEN, "")
    .replace(/ {2,}/g, " ")
    .replaceAll("\uFF0E", ".")
    .trim();
  let end = seen.length;
  while (end > 0 && ". ".includes(seen[end - 1]!)) end--;
  return seen.slice(0, end);
}

/**
 * Returns a `Content-Disposition` (RFC 6266). A name that is not plain ASCII is sent twice: as it is in `filename*`, and as
 * a fallback for clients that do not know that.
 */
export function contentDisposition(
  type: "attachment" | "inline",
  name: string,
  fallback: string = plain(name),
): string {
  const extended = name === fallback ? "" : `; filename*=UTF-8''${encoded(name)}`;
  return `${type}; filename="${plain(fallback)}"${extended}`;
}

/** Quotation marks and backslashes would end the value, and some browsers decode percent signs. */
const plain = (name: string) =>
  name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^\x20-\x7E]|["%\\]/gu, "_");

/** RFC 8187 leaves these out of the characters that need no encoding. */
const encoded = (name: string) =>
  encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`,
  );
