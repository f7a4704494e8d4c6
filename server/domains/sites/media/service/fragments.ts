import { type Box, boxesIn, boxesOf, boxIn } from "./boxes";
import { readAt, type Spooled } from "./judge-bytes";

/** Limit of all fragments' frames, some hours of video or audio: a few bytes can declare billions. */
const FRAMES_MAX = 2_000_000;
const CONTENT_MAX = 16 * 1_048_576;

type Durations = Map<number, number>;

/** Sums the frame durations of all fragments per track. Undefined for a file without fragments. */
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

/** Flags of `tfhd` and `trun`: which fields are present. */
const HEADER = { base: 1, description: 2, duration: 8 };
const TABLE = { offset: 1, firstFlags: 4, duration: 0x100, others: [0x200, 0x400, 0x800] };

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
