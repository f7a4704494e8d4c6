import { readTracks } from "../tracks.provider";
import { type DetectedFile, damagedFile, milliseconds, refusedFormat, type Spooled } from "./judge-bytes";
import { type Page, pagesOf } from "./ogg-pages";

const STREAMS_MAX = 8;

interface Codec {
  name: "opus" | "vorbis" | "speex" | "flac";
  start: string;
  rate: (packet: Buffer) => number;
  packetMax: number;
}

const CODECS: readonly Codec[] = [
  { name: "opus", start: "OpusHead", rate: () => 48_000, packetMax: 5760 },
  { name: "vorbis", start: "\x01vorbis", rate: (packet) => packet.readUInt32LE(12), packetMax: 4096 },
  { name: "speex", start: "Speex   ", rate: (packet) => packet.readUInt32LE(36), packetMax: 6400 },
  { name: "flac", start: "\x7FFLAC", rate: (packet) => packet.readUIntBE(27, 3) >> 4, packetMax: 65_535 },
];
/** Skeleton stream: describes the other streams. */
const SKELETON = "fishead\0";
const THEORA = "\x80theora";

/** Validates OGG: every stream must be audio, in all parts of a chained file. */
export async function judgeOgg(spooled: Spooled): Promise<DetectedFile> {
  const { first, names, durationMs } = await readParts(spooled);
  // mediabunny reads only these two codecs.
  if (first.has("opus") || first.has("vorbis")) {
    const { firstFrame } = await readTracks(spooled).catch(() => {
      throw damagedFile("ogg");
    });
    if (!firstFrame) throw damagedFile("ogg");
  }
  const isOpus = names.size === 1 && names.has("opus");
  return { format: "ogg", ...(isOpus && { codec: "opus" }), durationMs };
}

type Names = Set<Codec["name"]>;
type Part = Map<number, Stream | undefined>;

async function readParts(spooled: Spooled): Promise<{ first: Names; names: Names; durationMs?: number }> {
  const names: Names = new Set();
  let first: Names | undefined;
  let part: Part = new Map();
  let isBegun = true;
  let seconds = 0;
  for await (const page of pagesOf(spooled)) {
    if (page.isFirst && !isBegun) {
      seconds += secondsOf(part);
      part = new Map();
    }
    isBegun = page.isFirst;
    if (page.isFirst) {
      if (part.size === STREAMS_MAX) throw damagedFile("ogg");
      const stream = streamOf(page);
      part.set(page.serial, stream);
      if (stream) names.add(stream.codec.name);
    } else {
      first ??= new Set(names);
      part.get(page.serial)?.add(page);
    }
  }
  if (!first || names.size === 0) throw damagedFile("ogg");
  return { first, names, durationMs: milliseconds(seconds + secondsOf(part)) };
}

const secondsOf = (part: Part) => Math.max(0, ...[...part.values()].map((stream) => stream?.seconds() ?? 0));

/** Returns the stream that a page starts; undefined for a skeleton. Throws `validation` for video. */
function streamOf({ content }: Page): Stream | undefined {
  const start = content.toString("latin1", 0, 8);
  if (start.startsWith(THEORA)) throw refusedFormat("OGG (Theora)");
  if (start.startsWith(SKELETON)) return undefined;
  const codec = CODECS.find((each) => start.startsWith(each.start));
  if (!codec) throw refusedFormat("OGG (video)");
  if (content.length < 16) throw damagedFile("ogg");
  return new Stream(codec, content);
}

class Stream {
  private first?: { granule: number; packets: number };
  private last = 0;
  private packets = 0;
  private readonly rate: number;
  private readonly preSkip: number;

  constructor(
    readonly codec: Codec,
    packet: Buffer,
  ) {
    const padded = Buffer.concat([packet, Buffer.alloc(64)]);
    this.rate = codec.rate(padded);
    this.preSkip = codec.name === "opus" ? padded.readUInt16LE(10) : 0;
  }

  add({ granule, packets }: Page): void {
    // Header pages have granule 0.
    if (!granule) return;
    this.first ??= { granule, packets };
    this.last = granule;
    this.packets += packets;
  }

  seconds(): number {
    if (!this.first || this.rate === 0) return 0;
    const { granule, packets } = this.first;
    // Cut from a live stream: estimates the samples of the first page from those of the others.
    const isLate = granule > packets * this.codec.packetMax;
    const others = this.packets - packets;
    if (isLate) return others > 0 ? ((this.last - granule) * this.packets) / others / this.rate : 0;
    return (this.last - this.preSkip) / this.rate;
  }
}
