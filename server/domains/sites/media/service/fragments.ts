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
    const declared = countsIn(content, type === "moof" ? "trun" : "stts");
    // The table of contents of a fragmented film lists no frames.
    if (type === "moov" && declared > 0) return false;
    frames += declared;
    if (frames > FRAMES_MAX) return false;
  }
  return true;
}

/** Sum of the entries that the boxes of a type declare, behind version and flags. */
function countsIn(content: Buffer, type: string): number {
  let sum = 0;
  for (let at = content.indexOf(type); at >= 0; at = content.indexOf(type, at + 4))
    if (at + 12 <= content.length) sum += content.readUInt32BE(at + 8);
  return sum;
}
