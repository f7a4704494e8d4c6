import { readBytesAt, type SpooledUpload } from "./detected-file";

const PADDING_BYTES_MAX = 1_048_576;
const CHUNK_BYTES = 65_536;
const PADDING_VALUES = new Set([..."\0\t\n\f\r "].map((each) => each.charCodeAt(0)));

/** Returns the end of the content before trailing padding (about 1 MB at most). */
export async function findContentEnd(spooled: SpooledUpload): Promise<number> {
  let end = spooled.size;
  while (end > 0 && spooled.size - end < PADDING_BYTES_MAX) {
    const chunkStart = Math.max(0, end - CHUNK_BYTES);
    const chunk = await readBytesAt(spooled, chunkStart, end - chunkStart);
    const lastIndex = chunk.findLastIndex((byte) => !PADDING_VALUES.has(byte));
    if (lastIndex >= 0) return chunkStart + lastIndex + 1;
    end = chunkStart;
  }
  return end;
}

const END_RECORD_SIGNATURE = Buffer.from("PK\x05\x06", "latin1");
const END_RECORD_LENGTH = 22;
const COMMENT_BYTES_MAX = 65_535;

/** Removes padding after an archive, which some programs append and ZIP readers reject. */
export async function removePadding(spooled: SpooledUpload): Promise<void> {
  const contentEnd = await findContentEnd(spooled);
  const tailStart = Math.max(0, contentEnd - END_RECORD_LENGTH - COMMENT_BYTES_MAX);
  const tail = await readBytesAt(spooled, tailStart, contentEnd - tailStart + END_RECORD_LENGTH);
  const recordAt = tail.lastIndexOf(END_RECORD_SIGNATURE);
  if (recordAt < 0 || recordAt + END_RECORD_LENGTH > tail.length) return;
  const end = tailStart + recordAt + END_RECORD_LENGTH + tail.readUInt16LE(recordAt + END_RECORD_LENGTH - 2);
  if (end < contentEnd || end >= spooled.size) return;
  await spooled.file.truncate(end);
  spooled.size = end;
}
