/** Both ends are inclusive. */
export interface Range {
  start: number;
  end: number;
}

/** Parses a `Range` header (RFC 9110, section 14). Undefined means the whole file, `beyond` outside of it. */
export function parseRange(request: {
  range: string | null;
  ifRange: string | null;
  etag: string;
  size: number;
}): Range | "beyond" | undefined {
  const { range, ifRange, etag, size } = request;
  const match = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/i.exec(range ?? "");
  if (!match || (ifRange !== null && ifRange !== etag)) return undefined;
  const [, first = "", last = ""] = match;
  if (first === "" && last === "") return undefined;
  if (first === "")
    return Number(last) === 0 ? "beyond" : { start: Math.max(0, size - Number(last)), end: size - 1 };
  const start = Number(first);
  if (last !== "" && Number(last) < start) return undefined;
  if (start >= size) return "beyond";
  return { start, end: last === "" ? size - 1 : Math.min(Number(last), size - 1) };
}
