import { readTracks } from "../tracks.provider";
import {
  type DetectedFile,
  damagedFileError,
  refusedFormatError,
  type Spooled,
  toMilliseconds,
} from "./detected-file";
import { type Page, readPages } from "./ogg-pages";

const STREAMS_MAX = 8;

/** `packetSamplesMax`: samples of the longest possible packet. */
interface Codec {
  name: "opus" | "vorbis" | "speex" | "flac";
  signature: string;
  readSampleRate: (packet: Buffer) => number;
  packetSamplesMax: number;
}

const CODECS: readonly Codec[] = [
  { name: "opus", signature: "OpusHead", readSampleRate: () => 48_000, packetSamplesMax: 5760 },
  {
    name: "vorbis",
    signature: "\x01vorbis",
    readSampleRate: (packet) => packet.readUInt32LE(12),
    packetSamplesMax: 4096,
  },
  {
    name: "speex",
    signature: "Speex   ",
    readSampleRate: (packet) => packet.readUInt32LE(36),
    packetSamplesMax: 6400,
  },
  {
    name: "flac",
    signature: "\x7FFLAC",
    readSampleRate: (packet) => packet.readUIntBE(27, 3) >> 4,
    packetSamplesMax: 65_535,
  },
];
const SKELETON = "fishead\0";
const THEORA = "\x80theora";

/** Validates OGG: every stream must be audio, in all parts of a chained file. */
export async function inspectOgg(spooled: Spooled): Promise<DetectedFile> {
  const { firstPartCodecs, names, durationMs } = await readParts(spooled);
  // mediabunny reads only these two codecs.
  if (firstPartCodecs.has("opus") || firstPartCodecs.has("vorbis")) {
    const { firstFrame } = await readTracks(spooled).catch(() => {
      throw damagedFileError("ogg");
    });
    if (!firstFrame) throw damagedFileError("ogg");
  }
  const isOpus = names.size === 1 && names.has("opus");
  return { format: "ogg", ...(isOpus && { codec: "opus" }), durationMs };
}

type CodecNames = Set<Codec["name"]>;
type ChainPart = Map<number, Stream | undefined>;

async function readParts(
  spooled: Spooled,
): Promise<{ firstPartCodecs: CodecNames; names: CodecNames; durationMs?: number }> {
  const names: CodecNames = new Set();
  let firstPartCodecs: CodecNames | undefined;
  let part: ChainPart = new Map();
  let isInHeader = true;
  let seconds = 0;
  for await (const page of readPages(spooled)) {
    if (page.isFirst && !isInHeader) {
      seconds += getPartSeconds(part);
      part = new Map();
    }
    isInHeader = page.isFirst;
    if (page.isFirst) {
      if (part.size === STREAMS_MAX) throw damagedFileError("ogg");
      const stream = openStream(page);
      part.set(page.serial, stream);
      if (stream) names.add(stream.codec.name);
    } else {
      firstPartCodecs ??= new Set(names);
      part.get(page.serial)?.add(page);
    }
  }
  if (!firstPartCodecs || names.size === 0) throw damagedFileError("ogg");
  return { firstPartCodecs, names, durationMs: toMilliseconds(seconds + getPartSeconds(part)) };
}

const getPartSeconds = (part: ChainPart) =>
  Math.max(0, ...[...part.values()].map((stream) => stream?.seconds() ?? 0));

/** Returns the stream that a page starts; undefined for a skeleton. Throws `validation` for video. */
function openStream({ content }: Page): Stream | undefined {
  const start = content.toString("latin1", 0, 8);
  if (start.startsWith(THEORA)) throw refusedFormatError("OGG (Theora)");
  if (start.startsWith(SKELETON)) return undefined;
  const codec = CODECS.find((each) => start.startsWith(each.signature));
  if (!codec) throw refusedFormatError("OGG (video)");
  if (content.length < 16) throw damagedFileError("ogg");
  return new Stream(codec, content);
}

class Stream {
  private firstPage?: { granule: number; packets: number };
  private lastGranule = 0;
  private packets = 0;
  private readonly rate: number;
  private readonly preSkip: number;

  constructor(
    readonly codec: Codec,
    packet: Buffer,
  ) {
    const padded = Buffer.concat([packet, Buffer.alloc(64)]);
    this.rate = codec.readSampleRate(padded);
    this.preSkip = codec.name === "opus" ? padded.readUInt16LE(10) : 0;
  }

  add({ granule, packets }: Page): void {
    // Header pages have granule 0.
    if (!granule) return;
    this.firstPage ??= { granule, packets };
    this.lastGranule = granule;
    this.packets += packets;
  }

  seconds(): number {
    if (!this.firstPage || this.rate === 0) return 0;
    const { granule, packets } = this.firstPage;
    // The file was cut from a live stream. Estimate the samples of the first page from the later pages.
    const isLate = granule > packets * this.codec.packetSamplesMax;
    const laterPackets = this.packets - packets;
    if (isLate)
      return laterPackets > 0 ? ((this.lastGranule - granule) * this.packets) / laterPackets / this.rate : 0;
    return (this.lastGranule - this.preSkip) / this.rate;
  }
}
