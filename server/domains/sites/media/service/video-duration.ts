import { type Box, findBox, iterateBoxes } from "./boxes";
import { type SpooledUpload, toMilliseconds } from "./detected-file";
import { sumFragmentDurations } from "./fragments";

/** A video or audio track of the `moov` box. Durations are in units of `scale` per second. */
interface TrackDuration {
  id: number;
  scale: number;
  statedUnits?: number;
  countedUnits: number;
  frameUnits: number;
}

/** In ms. Sums all fragments: the header of a fragmented file often states the duration of the first only. */
export async function readVideoDuration(spooled: SpooledUpload, moov: Buffer): Promise<number | undefined> {
  const root = { start: 0, end: moov.length };
  const tracks = parseTracks(moov, root);
  const fragments = await sumFragmentDurations(
    spooled,
    new Map(tracks.map(({ id, frameUnits }) => [id, frameUnits])),
  );
  if (fragments === "too many") return undefined;
  if (fragments)
    return toLongestMs(
      tracks.map(({ id, scale, countedUnits }) => (countedUnits + (fragments.get(id) ?? 0)) / scale),
    );
  const movieHeader = findBox(moov, root, ["mvhd"]);
  const movieTimes = movieHeader && parseTimes(moov, movieHeader);
  if (movieTimes?.units) return toMilliseconds(movieTimes.units / movieTimes.scale);
  return toLongestMs(
    tracks.map(({ scale, statedUnits, countedUnits }) => (statedUnits ?? countedUnits) / scale),
  );
}

const toLongestMs = (seconds: number[]) => toMilliseconds(Math.max(0, ...seconds.filter(Number.isFinite)));

type ByteRange = Pick<Box, "start" | "end">;

/** Reads scale and duration of a header. A duration with all bits set is unknown and becomes 0. */
function parseTimes(moov: Buffer, { start, end }: ByteRange): { scale: number; units: number } | undefined {
  const isLong = moov[start] === 1;
  const at = start + (isLong ? 20 : 12);
  if (at + (isLong ? 12 : 8) > end) return undefined;
  const units = isLong ? moov.readBigUInt64BE(at + 4) : BigInt(moov.readUInt32BE(at + 4));
  const unknownUnits = isLong ? 2n ** 64n - 1n : 2n ** 32n - 1n;
  return { scale: moov.readUInt32BE(at), units: units === unknownUnits ? 0 : Number(units) };
}

function parseTracks(moov: Buffer, root: ByteRange): TrackDuration[] {
  const defaultDurations = new Map<number, number>();
  const extension = findBox(moov, root, ["mvex"]);
  for (const { type, start, end } of extension ? iterateBoxes(moov, extension) : [])
    if (type === "trex" && start + 16 <= end)
      defaultDurations.set(moov.readUInt32BE(start + 4), moov.readUInt32BE(start + 12));
  return [...iterateBoxes(moov, root)].flatMap((box) =>
    box.type === "trak" ? parseTrack(moov, box, defaultDurations) : [],
  );
}

function parseTrack(moov: Buffer, box: Box, defaultDurations: Map<number, number>): TrackDuration[] {
  const trackHeader = findBox(moov, box, ["tkhd"]);
  const mediaBox = findBox(moov, box, ["mdia"]);
  const mediaHeader = mediaBox && findBox(moov, mediaBox, ["mdhd"]);
  const handler = mediaBox && findBox(moov, mediaBox, ["hdlr"]);
  const timeTable = mediaBox && findBox(moov, mediaBox, ["minf", "stbl", "stts"]);
  const times = mediaHeader && parseTimes(moov, mediaHeader);
  const isMedia =
    handler && /^(vide|soun)$/.test(moov.toString("latin1", handler.start + 8, handler.start + 12));
  const idAt = trackHeader ? trackHeader.start + (moov[trackHeader.start] === 1 ? 20 : 12) : 0;
  if (!trackHeader || !times?.scale || !isMedia || idAt + 4 > trackHeader.end) return [];
  const id = moov.readUInt32BE(idAt);
  const statedUnits = times.units || undefined;
  return [
    {
      id,
      scale: times.scale,
      statedUnits,
      countedUnits: timeTable ? sumFrameDurations(moov, timeTable) : 0,
      frameUnits: defaultDurations.get(id) ?? 0,
    },
  ];
}

function sumFrameDurations(moov: Buffer, { start, end }: ByteRange): number {
  let sum = 0;
  const entryCount = start + 8 <= end ? moov.readUInt32BE(start + 4) : 0;
  for (let entry = 0, at = start + 8; entry < entryCount && at + 8 <= end; entry++, at += 8)
    sum += moov.readUInt32BE(at) * moov.readUInt32BE(at + 4);
  return sum;
}
