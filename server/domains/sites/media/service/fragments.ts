import { type Box, findBox, iterateBoxes, readTopLevelBoxes } from "./boxes";
import { readBytesAt, type SpooledUpload } from "./detected-file";

/** Maximum frames of all fragments together, enough for hours: a few bytes can declare billions. */
const FRAMES_MAX = 2_000_000;
const CONTENT_BYTES_MAX = 16 * 1_048_576;

/** Durations by track ID, in units of the track's scale. */
type Durations = Map<number, number>;

/** Sums the durations of all fragments; undefined for a file without fragments. */
export async function sumFragmentDurations(
  spooled: SpooledUpload,
  defaultDurations: Durations,
): Promise<Durations | "too many" | undefined> {
  const durationSums: Durations = new Map();
  let isFragmented = false;
  let [contentBytes, frameCount] = [0, 0];
  for await (const { type, start, end } of readTopLevelBoxes(spooled)) {
    if (type !== "moof") continue;
    isFragmented = true;
    contentBytes += end - start;
    if (contentBytes > CONTENT_BYTES_MAX) return "too many";
    const content = await readBytesAt(spooled, start, end - start);
    for (const box of iterateBoxes(content, { start: 0, end: content.length }))
      if (box.type === "traf")
        frameCount += addTrackDurations(content, box, { defaultDurations, durationSums });
    if (frameCount > FRAMES_MAX) return "too many";
  }
  return isFragmented ? durationSums : undefined;
}

const TFHD_FLAGS = { base: 1, description: 2, duration: 8 };
const TRUN_FLAGS = { offset: 1, firstFlags: 4, duration: 0x100, others: [0x200, 0x400, 0x800] };

/** Adds the durations of one `traf` box to `sums`. Returns its number of frames. */
function addTrackDurations(
  content: Buffer,
  box: Box,
  { defaultDurations, durationSums }: { defaultDurations: Durations; durationSums: Durations },
): number {
  const header = findBox(content, box, ["tfhd"]);
  if (!header || header.end - header.start < 8) return 0;
  const trackId = content.readUInt32BE(header.start + 4);
  const flags = content.readUInt32BE(header.start);
  const durationAt =
    header.start + 8 + (flags & TFHD_FLAGS.base ? 8 : 0) + (flags & TFHD_FLAGS.description ? 4 : 0);
  const hasDefaultDuration = (flags & TFHD_FLAGS.duration) !== 0 && durationAt + 4 <= header.end;
  const frameDuration = hasDefaultDuration
    ? content.readUInt32BE(durationAt)
    : (defaultDurations.get(trackId) ?? 0);
  let frameCount = 0;
  for (const table of iterateBoxes(content, box)) {
    if (table.type !== "trun" || table.end - table.start < 8) continue;
    const count = content.readUInt32BE(table.start + 4);
    durationSums.set(
      trackId,
      (durationSums.get(trackId) ?? 0) + (sumListedDurations(content, table, count) ?? count * frameDuration),
    );
    frameCount += count;
  }
  return frameCount;
}

function sumListedDurations(content: Buffer, { start, end }: Box, count: number): number | undefined {
  const flags = content.readUInt32BE(start);
  if (!(flags & TRUN_FLAGS.duration)) return undefined;
  const entryLength = 4 + 4 * TRUN_FLAGS.others.filter((flag) => flags & flag).length;
  const firstEntryAt =
    start + 8 + (flags & TRUN_FLAGS.offset ? 4 : 0) + (flags & TRUN_FLAGS.firstFlags ? 4 : 0);
  let sum = 0;
  for (let entry = 0, at = firstEntryAt; entry < count && at + entryLength <= end; entry++, at += entryLength)
    sum += content.readUInt32BE(at);
  return sum;
}
