import { readTracks } from "../tracks.provider";
import {
  type DetectedFile,
  damagedFileError,
  refusedFormatError,
  type SpooledUpload,
  toMilliseconds,
} from "./detected-file";
import { type OggPage, readOggPages } from "./ogg-pages";

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
export async function inspectOgg(spooled: SpooledUpload): Promise<DetectedFile> {
  const { firstPartCodecs, names, durationMs } = await readChainParts(spooled);
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

async function readChainParts(
  spooled: SpooledUpload,
): Promise<{ firstPartCodecs: CodecNames; names: CodecNames; durationMs?: number }> {
  const names: CodecNames = new Set();
  let firstPartCodecs: CodecNames | undefined;
  let chainPart: ChainPart = new Map();
  let isInHeader = true;
  let seconds = 0;
  for await (const page of readOggPages(spooled)) {
    if (page.startsStream && !isInHeader) {
      seconds += getPartSeconds(chainPart);
      chainPart = new Map();
    }
    isInHeader = page.startsStream;
    if (page.startsStream) {
      if (chainPart.size === STREAMS_MAX) throw damagedFileError("ogg");
      const stream = openStream(page);
      chainPart.set(page.serial, stream);
      if (stream) names.add(stream.codec.name);
    } else {
      firstPartCodecs ??= new Set(names);
      chainPart.get(page.serial)?.addPage(page);
    }
  }
  if (!firstPartCodecs || names.size === 0) throw damagedFileError("ogg");
  return { firstPartCodecs, names, durationMs: toMilliseconds(seconds + getPartSeconds(chainPart)) };
}

const getPartSeconds = (chainPart: ChainPart) =>
  Math.max(0, ...[...chainPart.values()].map((stream) => stream?.getSeconds() ?? 0));

/** Returns the stream that a page starts; undefined for a skeleton. Throws `validation` for video. */
function openStream({ content }: OggPage): Stream | undefined {
  const start = content.toString("latin1", 0, 8);
  if (start.startsWith(THEORA)) throw refusedFormatError("OGG (Theora)");
  if (start.startsWith(SKELETON)) return undefined;
  const codec = CODECS.find((candidate) => start.startsWith(candidate.signature));
  if (!codec) throw refusedFormatError("OGG (video)");
  if (content.length < 16) throw damagedFileError("ogg");
  return new Stream(codec, content);
}

class Stream {
  private firstPage?: { granule: number; packetCount: number };
  private lastGranule = 0;
  private packetCount = 0;
  private readonly sampleRate: number;
  private readonly preSkip: number;

  constructor(
    readonly codec: Codec,
    packet: Buffer,
  ) {
    const padded = Buffer.concat([packet, Buffer.alloc(64)]);
    this.sampleRate = codec.readSampleRate(padded);
    this.preSkip = codec.name === "opus" ? padded.readUInt16LE(10) : 0;
  }

  addPage({ granule, packetCount }: OggPage): void {
    // Header pages have granule 0.
    if (!granule) return;
    this.firstPage ??= { granule, packetCount };
    this.lastGranule = granule;
    this.packetCount += packetCount;
  }

  getSeconds(): number {
    if (!this.firstPage || this.sampleRate === 0) return 0;
    const { granule, packetCount: firstPagePacketCount } = this.firstPage;
    // The file was cut from a live stream. Estimate the samples of the first page from the later pages.
    const isLate = granule > firstPagePacketCount * this.codec.packetSamplesMax;
    const laterPacketCount = this.packetCount - firstPagePacketCount;
    if (isLate)
      return laterPacketCount > 0
        ? ((this.lastGranule - granule) * this.packetCount) / laterPacketCount / this.sampleRate
        : 0;
    return (this.lastGranule - this.preSkip) / this.sampleRate;
  }
}
