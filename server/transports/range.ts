/** One range of bytes, both ends included. */
export interface Range {
  start: number;
  end: number;
}

/**
 * The one range that a request asks for (RFC 9110, 14): undefined for the whole file, which several ranges, another unit
 * and another version also get; `beyond` when no byte of the file is in it.
 */
export function rangeOf(asked: {
  range: string | null;
  ifRange: string | null;
  etag: string;
  size: number;
}): Range | "beyond" | undefined {
  const { range, ifRange, etag, size } = asked;
  const found = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/i.exec(range ?? "");
  if (!found || (ifRange !== null && ifRange !== etag)) return undefined;
  const [, first = "", last = ""] = found;
  if (first === "" && last === "") return undefined;
  if (first === "")
    return Number(last) === 0 ? "beyond" : { start: Math.max(0, size - Number(last)), end: size - 1 };
  const start = Number(first);
  if (last !== "" && Number(last) < start) return undefined;
  if (start >= size) return "beyond";
  return { start, end: last === "" ? size - 1 : Math.min(Number(last), size - 1) };
}
