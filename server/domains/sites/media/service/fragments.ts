import { type Box, boxesIn, boxesOf, boxIn } from "./boxes";
import { readAt, type Spooled } from "./judge-bytes";

/** Frames of all fragments: some hours of pictures or sound. A few bytes can declare billions. */
const FRAMES_MAX = 2_000_000;
/** Bytes of all tables of fragments. */
const CONTENT_MAX = 16 * 1_048_576;

/** Durations by the numbers of tracks, in the units of each. */
type Durations = Map<number, number>;

/** Adds up the frames of all fragments. Undefined for a film without fragments. Their defaults are per frame. */
export async function countFragments(
  spooled: Spooled,
  defaults: Durations,
): Promise<Durations | "too many" | undefined> {
  const sums: Durations = new Map();
  let isFragmented = false;
  let [bytes, frames] = [0, 0];
  for await (const { type, start, end } of boxesOf(spooled)) {
    if (type !== "moof") continue;
    isFragmented = true;
    bytes += end - start;
    if (bytes > CONTENT_MAX) return "too many";
    const content = await readAt(spooled, start, end - start);
    for (const box of boxesIn(content, { start: 0, end: content.length }))
      if (box.type === "traf") frames += addTrack(content, box, { defaults, sums });
    if (frames > FRAMES_MAX) return "too many";
  }
  return isFragmented ? sums : undefined;
}

/** Flags of a fragment's header and of its tables: which fields there are. */
const HEADER = { base: 1, description: 2, duration: 8 };
const TABLE = { offset: 1, firstFlags: 4, duration: 0x100, others: [0x200, 0x400, 0x800] };

/** Adds the frames of a track's fragment. Returns how many it declares. */
function addTrack(
  content: Buffer,
  box: Box,
  { defaults, sums }: { defaults: Durations; sums: Durations },
): number {
  const header = boxIn(content, box, ["tfhd"]);
  if (!header || header.end - header.start < 8) return 0;
  const id = content.readUInt32BE(header.start + 4);
  const flags = content.readUInt32BE(header.start);
  const at = header.start + 8 + (flags & HEADER.base ? 8 : 0) + (flags & HEADER.description ? 4 : 0);
  const hasOwn = (flags & HEADER.duration) !== 0 && at + 4 <= header.end;
  const frame = hasOwn ? content.readUInt32BE(at) : (defaults.get(id) ?? 0);
  let frames = 0;
  for (const table of boxesIn(content, box)) {
    if (table.type !== "trun" || table.end - table.start < 8) continue;
    const count = content.readUInt32BE(table.start + 4);
    sums.set(id, (sums.get(id) ?? 0) + (ownDurations(content, table, count) ?? count * frame));
    frames += count;
  }
  return frames;
}

/** The sum of the durations in a table; undefined when it has none. */
function ownDurations(content: Buffer, { start, end }: Box, count: number): number | undefined {
  const flags = content.readUInt32BE(start);
  if (!(flags & TABLE.duration)) return undefined;
  const length = 4 + 4 * TABLE.others.filter((flag) => flags & flag).length;
  const from = start + 8 + (flags & TABLE.offset ? 4 : 0) + (flags & TABLE.firstFlags ? 4 : 0);
  let sum = 0;
  for (let entry = 0, at = from; entry < count && at + length <= end; entry++, at += length)
    sum += content.readUInt32BE(at);
  return sum;
}
