import { readAt, type Spooled } from "./judge-bytes";

const PADDING_MAX = 1_048_576;
const PIECE = 65_536;
const PADDING = new Set([..."\0\t\n\f\r "].map((each) => each.charCodeAt(0)));

/** Returns the offset after the last byte that is not padding (zeros and white space). */
export async function endWithoutPadding(spooled: Spooled): Promise<number> {
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

const END_RECORD = Buffer.from("PK\x05\x06", "latin1");
const RECORD_LENGTH = 22;
const COMMENT_MAX = 65_535;

/** Removes padding after an archive: some programs append it, ZIP readers refuse it. */
export async function removePadding(spooled: Spooled): Promise<void> {
  const last = await endWithoutPadding(spooled);
  const from = Math.max(0, last - RECORD_LENGTH - COMMENT_MAX);
  const tail = await readAt(spooled, from, last - from + RECORD_LENGTH);
  const at = tail.lastIndexOf(END_RECORD);
  if (at < 0 || at + RECORD_LENGTH > tail.length) return;
  const end = from + at + RECORD_LENGTH + tail.readUInt16LE(at + RECORD_LENGTH - 2);
  if (end < last || end >= spooled.size) return;
  await spooled.file.truncate(end);
  spooled.size = end;
}
