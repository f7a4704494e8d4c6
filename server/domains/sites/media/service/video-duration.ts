import { type Box, boxesIn, boxIn } from "./boxes";
import { countFragments } from "./fragments";
import { milliseconds, type Spooled } from "./judge-bytes";

/** A video or audio track of the `moov` box. Durations are in units of `scale` per second. */
interface TrackTimes {
  id: number;
  scale: number;
  /** Duration in its header; undefined if unknown. */
  stated?: number;
  counted: number;
  frame: number;
}

/** Sums fragments, because the header of a fragmented file often states only the first one's duration. */
export async function videoDuration(spooled: Spooled, contents: Buffer): Promise<number | undefined> {
  const root = { start: 0, end: contents.length };
  const tracks = tracksOf(contents, root);
  const fragments = await countFragments(spooled, new Map(tracks.map(({ id, frame }) => [id, frame])));
  if (fragments === "too many") return undefined;
  if (fragments)
    return longest(tracks.map(({ id, scale, counted }) => (counted + (fragments.get(id) ?? 0)) / scale));
  const header = boxIn(contents, root, ["mvhd"]);
  const stated = header && timesOf(contents, header);
  if (stated?.units) return milliseconds(stated.units / stated.scale);
  return longest(tracks.map(({ scale, stated, counted }) => (stated ?? counted) / scale));
}

const longest = (seconds: number[]) => milliseconds(Math.max(0, ...seconds.filter(Number.isFinite)));

type Span = Pick<Box, "start" | "end">;

/** Reads scale and duration of a header. All bits set mean unknown and become 0. */
function timesOf(contents: Buffer, { start, end }: Span): { scale: number; units: number } | undefined {
  const isLong = contents[start] === 1;
  const at = start + (isLong ? 20 : 12);
  if (at + (isLong ? 12 : 8) > end) return undefined;
  const units = isLong ? contents.readBigUInt64BE(at + 4) : BigInt(contents.readUInt32BE(at + 4));
  const unknown = isLong ? 2n ** 64n - 1n : 2n ** 32n - 1n;
  return { scale: contents.readUInt32BE(at), units: units === unknown ? 0 : Number(units) };
}

function tracksOf(contents: Buffer, root: Span): TrackTimes[] {
  const frames = new Map<number, number>();
  const extension = boxIn(contents, root, ["mvex"]);
  for (const { type, start, end } of extension ? boxesIn(contents, extension) : [])
    if (type === "trex" && start + 16 <= end)
      frames.set(contents.readUInt32BE(start + 4), contents.readUInt32BE(start + 12));
  return [...boxesIn(contents, root)].flatMap((box) =>
    box.type === "trak" ? trackOf(contents, box, frames) : [],
  );
}

function trackOf(contents: Buffer, box: Box, frames: Map<number, number>): TrackTimes[] {
  const head = boxIn(contents, box, ["tkhd"]);
  const media = boxIn(contents, box, ["mdia"]);
  const header = media && boxIn(contents, media, ["mdhd"]);
  const handler = media && boxIn(contents, media, ["hdlr"]);
  const table = media && boxIn(contents, media, ["minf", "stbl", "stts"]);
  const times = header && timesOf(contents, header);
  const isMedia =
    handler && /^(vide|soun)$/.test(contents.toString("latin1", handler.start + 8, handler.start + 12));
  const idAt = head ? head.start + (contents[head.start] === 1 ? 20 : 12) : 0;
  if (!head || !times?.scale || !isMedia || idAt + 4 > head.end) return [];
  const id = contents.readUInt32BE(idAt);
  const stated = times.units || undefined;
  return [
    {
      id,
      scale: times.scale,
      stated,
      counted: table ? sumOf(contents, table) : 0,
      frame: frames.get(id) ?? 0,
    },
  ];
}

function sumOf(contents: Buffer, { start, end }: Span): number {
  let sum = 0;
  const entries = start + 8 <= end ? contents.readUInt32BE(start + 4) : 0;
  for (let entry = 0, at = start + 8; entry < entries && at + 8 <= end; entry++, at += 8)
    sum += contents.readUInt32BE(at) * contents.readUInt32BE(at + 4);
  return sum;
}
