import type { Input, InputFormat, InputTrack } from "mediabunny";
import { createTaskQueue } from "@/server/infrastructure/concurrency";
import { type SpooledUpload, toMilliseconds } from "./service/detected-file";

/** Limits for one file. */
const READ_BYTES_MAX = 32 * 1_048_576;
const READS_MAX = 8192;
const READ_MS_MAX = 10_000;
const COUNTING_MS_MAX = 4000;
const CACHE_BYTES = 1_048_576;

/** Counts one file at a time: counting the smallest frames in 16 MB takes 150 MB of memory. */
const countOneByOne = createTaskQueue({ running: 1, waiting: 200 });

export interface Track {
  type: InputTrack["type"];
  /** Codec name in an ISO container, e.g. `avc1`; empty in other containers. */
  sampleEntry: string;
  codec: string | null;
  /** Displayed size: rotated, with square pixels. */
  width?: number;
  height?: number;
}

export interface MediaTracks {
  container: "MP4" | "MP3" | "AAC" | "OGG" | "FLAC";
  tracks: Track[];
  durationMs?: number;
  firstFrame?: Uint8Array;
}

let mediabunnyPromise: ReturnType<typeof loadMediabunny> | undefined;

async function loadMediabunny() {
  const mediabunny = await import("mediabunny");
  // Its warnings quote file contents.
  mediabunny.Logging.level = mediabunny.LogLevel.Silent;
  const { ADTS, FLAC, MP3, MP4, OGG } = mediabunny;
  const containers = new Map<InputFormat, MediaTracks["container"]>([
    [MP4, "MP4"],
    [MP3, "MP3"],
    [ADTS, "AAC"],
    [OGG, "OGG"],
    [FLAC, "FLAC"],
  ]);
  return { ...mediabunny, containers };
}

/** Reads tracks within the limits above. Callers report any thrown error as a damaged file. */
export async function readTracks(spooled: SpooledUpload): Promise<MediaTracks> {
  return withInput(spooled, READ_MS_MAX, async (input) => {
    const { containers, EncodedPacketSink } = await mediabunnyPromise!;
    const container = containers.get(await input.getFormat())!;
    if (container === "FLAC") return { container, tracks: [] };
    const inputTracks = await input.getTracks();
    const tracks = await Promise.all(inputTracks.map(describeTrack));
    if (!inputTracks[0]) return { container, tracks };
    // Stop here: the code below reads tables that may declare billions of frames.
    if (container === "MP4") return { container, tracks };
    const firstPacket = await new EncodedPacketSink(inputTracks[0]).getFirstPacket();
    // For OGG, mediabunny counts only the first part, including the time before a cut.
    if (container === "OGG") return { container, tracks, firstFrame: firstPacket?.data };
    const hasStatedDuration = container === "MP3" && FRAME_COUNT_HEADER.test(spooled.head.toString("latin1"));
    const statedMs = hasStatedDuration ? toMilliseconds(await input.getDurationFromMetadata()) : undefined;
    const durationMs = statedMs ?? (await countDuration(spooled));
    return { container, tracks, durationMs, firstFrame: firstPacket?.data };
  });
}

function countDuration(spooled: SpooledUpload): Promise<number | undefined> {
  const countMs = async (input: Input) => toMilliseconds(await findEndSeconds(input));
  return countOneByOne(() => withInput(spooled, COUNTING_MS_MAX, countMs).catch(() => undefined));
}

async function findEndSeconds(input: Input): Promise<number | null> {
  const { EncodedPacketSink } = await mediabunnyPromise!;
  const [track] = await input.getTracks();
  const sink = new EncodedPacketSink(track!);
  const deadline = performance.now() + COUNTING_MS_MAX;
  const options = { metadataOnly: true };
  let endSeconds = 0;
  for (
    let packet = await sink.getFirstPacket(options);
    packet;
    packet = await sink.getNextPacket(packet, options)
  ) {
    // mediabunny's own count never ends at a frame of length zero.
    if (packet.byteLength === 0 || performance.now() > deadline) return null;
    endSeconds = packet.timestamp + packet.duration;
  }
  return endSeconds;
}

async function withInput<T>(
  spooled: SpooledUpload,
  timeoutMs: number,
  work: (input: Input) => Promise<T>,
): Promise<T> {
  mediabunnyPromise ??= loadMediabunny();
  const { containers, CustomSource, Input } = await mediabunnyPromise;
  const budget = {
    remainingBytes: READ_BYTES_MAX,
    remainingReads: READS_MAX,
    deadline: performance.now() + timeoutMs,
  };
  const source = new CustomSource({
    getSize: () => spooled.size,
    read: (start, end) => readWithin(budget, spooled, { start, end }),
    handleUnhandledError: () => undefined,
    maxCacheSize: CACHE_BYTES,
    prefetchProfile: "fileSystem",
  });
  const input = new Input({ source, formats: [...containers.keys()] });
  try {
    return await work(input);
  } finally {
    input.dispose();
  }
}

interface ReadBudget {
  remainingBytes: number;
  remainingReads: number;
  deadline: number;
}

async function readWithin(
  budget: ReadBudget,
  { file }: SpooledUpload,
  { start, end }: { start: number; end: number },
): Promise<Uint8Array> {
  budget.remainingBytes -= end - start;
  budget.remainingReads -= 1;
  if (budget.remainingBytes < 0 || budget.remainingReads < 0 || performance.now() > budget.deadline)
    throw new Error("The file takes too much to read");
  return (await file.read(Buffer.alloc(end - start), 0, end - start, start)).buffer;
}

async function describeTrack(track: InputTrack): Promise<Track> {
  const sampleEntry = await track.getInternalCodecId();
  return {
    type: track.type,
    sampleEntry: typeof sampleEntry === "string" ? sampleEntry : "",
    codec: await track.getCodec(),
    ...(track.isVideoTrack() && {
      width: toPixels(await track.getDisplayWidth()),
      height: toPixels(await track.getDisplayHeight()),
    }),
  };
}

const FRAME_COUNT_HEADER = /(?:Xing|Info)\0{3}[^\0\x20-\xFF]/;

/** Longer sides come from a damaged aspect ratio. */
const SIDE_MAX_PX = 65_535;
const toPixels = (sidePx: number) => (sidePx >= 1 && sidePx <= SIDE_MAX_PX ? Math.round(sidePx) : undefined);
