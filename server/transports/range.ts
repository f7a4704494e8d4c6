/** Both ends are inclusive. */
export interface Range {
  start: number;
  end: number;
}

/** RFC 9110, section 14. Undefined for the whole file, `beyond` for a range without any byte of it. */
export function parseRange(request: {
  range: string | null;
  ifRange: string | null;
  etag: string;
  size: number;
}): Range | "beyond" | undefined {
  const { range, ifRange, etag, size } = request;
  const match = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/i.exec(range ?? "");
  if (!match || (ifRange !== null && ifRange !== etag)) return undefined;
  const [, startText = "", endText = ""] = match;
  if (startText === "" && endText === "") return undefined;
  if (startText === "")
    return Number(endText) === 0 ? "beyond" : { start: Math.max(0, size - Number(endText)), end: size - 1 };
  const start = Number(startText);
  if (endText !== "" && Number(endText) < start) return undefined;
  if (start >= size) return "beyond";
  return { start, end: endText === "" ? size - 1 : Math.min(Number(endText), size - 1) };
}
