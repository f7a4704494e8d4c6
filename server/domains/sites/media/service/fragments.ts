import { boxesOf } from "./boxes";
import { readAt, type Spooled } from "./judge-bytes";

/** Frames of a film that are counted: an hour of pictures and sound. */
const FRAMES_MAX = 300_000;
const CONTENT_MAX = 16 * 1_048_576;

/**
 * Whether the frames of a film that does not state its duration may be counted. A table of a few bytes can declare
 * billions, and the library would allocate every one.
 */
export async function isCountable(spooled: Spooled): Promise<boolean> {
  let [frames, bytes] = [0, 0];
  for await (const { type, start, end } of boxesOf(spooled)) {
    if (type !== "moov" && type !== "moof") continue;
    bytes += end - start;
    if (bytes > CONTENT_MAX) return false;
    const content = await readAt(spooled, start, end - start);
    // The table of contents of a fragmented film lists no frames.
    if (type === "moov" && TABLES.some(([table, countAt]) => countsIn(content, table, countAt) > 0))
      return false;
    const declared = type === "moof" ? countsIn(content, "trun", 8) : 0;
    frames += declared;
    if (frames > FRAMES_MAX) return false;
  }
  return true;
}

/** Tables of frames, and where behind their types the number of entries is. */
const TABLES = [
  ["stts", 8],
  ["ctts", 8],
  ["stsc", 8],
  ["stsz", 12],
  ["stz2", 12],
] as const;

/** Sum of the entries that the boxes of a type declare. */
function countsIn(content: Buffer, type: string, countAt: number): number {
  let sum = 0;
  for (let at = content.indexOf(type); at >= 0; at = content.indexOf(type, at + 4))
    if (at + countAt + 4 <= content.length) sum += content.readUInt32BE(at + countAt);
  return sum;
}
