import { broken, type Judged, readAt, type Spooled } from "./judge-bytes";

/** Readers look for the end within the last 1,024 bytes, apart from padding. */
const END_WITHIN = 1024;
/** Bytes of padding that are read, piece by piece. */
const PADDING_MAX = 1_048_576;
const PIECE = 65_536;
const PADDING = new Set([..."\0\t\n\f\r "].map((each) => each.charCodeAt(0)));

/** Judges a PDF: it must not be cut off. */
export async function judgePdf(spooled: Spooled): Promise<Judged> {
  const end = await endOf(spooled);
  const from = Math.max(0, end - END_WITHIN);
  const tail = await readAt(spooled, from, end - from);
  if (!tail.includes("%%EOF")) throw broken("pdf");
  return { format: "pdf" };
}

/** Position behind the last byte that is no padding. */
async function endOf(spooled: Spooled): Promise<number> {
  let end = spooled.size;
  while (end > 0 && spooled.size - end < PADDING_MAX) {
    const from = Math.max(0, end - PIECE);
    const piece = await readAt(spooled, from, end - from);
    const last = piece.findLastIndex((byte) => !PADDING.has(byte));
    if (last >= 0) return from + last + 1;
    end = from;
  }
  return end;
}
