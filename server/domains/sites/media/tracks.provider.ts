import type { Input, InputFormat, InputTrack } from "mediabunny";
import { limitConcurrency } from "@/server/infrastructure/concurrency";
import { milliseconds, type Spooled } from "./service/judge-bytes";

const READ_MAX = 32 * 1_048_576;
const READS_MAX = 8192;
const MS_MAX = 10_000;
/** Time to count the frames of a file that states no duration. */
const COUNTING_MS_MAX = 4000;
const CACHE = 1_048_576;

/** One file at a time: counting 16 MB of the smallest frames needs 150 MB of memory. */
const oneByOne = limitConcurrency({ running: 1, waiting: 200 });

export interface Track {
  type: InputTrack["type"];
  /** Codec name in an ISO container, e.g. `avc1`; empty in other containers. */
  sampleEntry: string;
  codec: string | null;
  /** Displayed size: rotated, with square pixels. */
  width?: number;
  height?: number;
}

export interface Tracks {
  container: "MP4" | "MP3" | "AAC" | "OGG" | "FLAC";
  tracks: Track[];
  durationMs?: number;
  firstFrame?: Uint8Array;
}

let library: ReturnType<typeof loadLibrary> | undefined;

async function loadLibrary() {
  const mediabunny = await import("mediabunny");
  // Its warnings quote file contents.
  mediabunny.Logging.level = mediabunny.LogLevel.Silent;
  const { ADTS, FLAC, MP3, MP4, OGG } = mediabunny;
  const containers = new Map<InputFormat, Tracks["container"]>([
    [MP4, "MP4"],
    [MP3, "MP3"],
    [ADTS, "AAC"],
    [OGG, "OGG"],
    [FLAC, "FLAC"],
  ]);
  return { ...mediabunny, containers };
}

/** Throws any error if the file cannot be read within the limits; the caller reports a damaged file. */
export async function readTracks(spooled: Spooled): Promise<Tracks> {
  return withInput(spooled, MS_MAX, async (input) => {
    const { containers, EncodedPacketSink } = await library!;
    const container = containers.get(await input.getFormat())!;
    if (container === "FLAC") return { container, tracks: [] };
    const all = await input.getTracks();
    const tracks = await Promise.all(all.map(describe));
    if (!all[0]) return { container, tracks };
    // The rest would read tables that may declare billions of frames.
    if (container === "MP4") return { container, tracks };
    const first = await new EncodedPacketSink(all[0]).getFirstPacket();
    // For OGG, mediabunny counts only the first part, including the time before a cut.
    if (container === "OGG") return { container, tracks, firstFrame: first?.data };
    const isStated = container === "MP3" && FRAME_COUNT.test(spooled.head.toString("latin1"));
    const stated = isStated ? milliseconds(await input.getDurationFromMetadata()) : undefined;
    const durationMs = stated ?? (await countDuration(spooled));
    return { container, tracks, durationMs, firstFrame: first?.data };
  });
}

function countDuration(spooled: Spooled): Promise<number | undefined> {
  const count = async (input: Input) => milliseconds(await endOfFrames(input));
  return oneByOne(() => withInput(spooled, COUNTING_MS_MAX, count).catch(() => undefined));
}

async function endOfFrames(input: Input): Promise<number | null> {
  const { EncodedPacketSink } = await library!;
  const [track] = await input.getTracks();
  const sink = new EncodedPacketSink(track!);
  const until = performance.now() + COUNTING_MS_MAX;
  const options = { metadataOnly: true };
  let end = 0;
  for (
    let frame = await sink.getFirstPacket(options);
    frame;
    frame = await sink.getNextPacket(frame, options)
  ) {
    // mediabunny's own count never ends at a frame of length zero.
    if (frame.byteLength === 0 || performance.now() > until) return null;
    end = frame.timestamp + frame.duration;
  }
  return end;
}

async function withInput<T>(spooled: Spooled, ms: number, work: (input: Input) => Promise<T>): Promise<T> {
  library ??= loadLibrary();
  const { containers, CustomSource, Input } = await library;
  const limits = { bytes: READ_MAX, reads: READS_MAX, until: performance.now() + ms };
  const source = new CustomSource({
    getSize: () => spooled.size,
    read: (start, end) => readWithin(limits, spooled, { start, end }),
    handleUnhandledError: () => undefined,
    maxCacheSize: CACHE,
    prefetchProfile: "fileSystem",
  });
  const input = new Input({ source, formats: [...containers.keys()] });
  try {
    return await work(input);
  } finally {
    input.dispose();
  }
}

interface Limits {
  bytes: number;
  reads: number;
  until: number;
}

async function readWithin(
  limits: Limits,
  { file }: Spooled,
  { start, end }: { start: number; end: number },
): Promise<Uint8Array> {
  limits.bytes -= end - start;
  limits.reads -= 1;
  if (limits.bytes < 0 || limits.reads < 0 || performance.now() > limits.until)
    throw new Error("The file takes too much to read");
  return (await file.read(Buffer.alloc(end - start), 0, end - start, start)).buffer;
}

async function describe(track: InputTrack): Promise<Track> {
  const sampleEntry = await track.getInternalCodecId();
  return {
    type: track.type,
    sampleEntry: typeof sampleEntry === "string" ? sampleEntry : "",
    codec: await track.getCodec(),
    ...(track.isVideoTrack() && {
      width: pixels(await track.getDisplayWidth()),
      height: pixels(await track.getDisplayHeight()),
    }),
  };
}

/** Header with the frame count in the first frame of an MP3. */
const FRAME_COUNT = /(?:Xing|Info)\0{3}[^\0\x20-\xFF]/;

/** Upper limit of a side: a damaged aspect ratio gives billions of pixels. */
const SIDE_MAX = 65_535;
const pixels = (side: number) => (side >= 1 && side <= SIDE_MAX ? Math.round(side) : undefined);
