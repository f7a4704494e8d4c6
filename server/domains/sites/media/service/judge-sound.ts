import { readTracks } from "../tracks.provider";
import { broken, type Judged, otherFormat, readAt, type Spooled } from "./judge-bytes";
import { ADTS } from "./recognise";

/** Judges sound without a container, behind ID3 tags or not: MP3, or AAC in ADTS frames. */
export async function judgeFrames(spooled: Spooled): Promise<Judged> {
  const isAac = ADTS.test(spooled.head.toString("latin1", 0, 2));
  const format = isAac ? "aac" : "mp3";
  const { container, durationMs, firstFrame } = await readTracks(spooled).catch(() => {
    throw broken(format);
  });
  if (container === "AAC") return { format: "aac", durationMs };
  if (container !== "MP3") throw otherFormat(container);
  const bits = firstFrame?.[1];
  const isReserved = bits === undefined || ((bits >> 3) & 3) === 1;
  if (isReserved) throw broken(format);
  const layer = 4 - ((bits >> 1) & 3);
  if (layer !== 3) throw otherFormat(`MPEG audio layer ${layer}`);
  return { format: "mp3", durationMs };
}

const STREAMS_MAX = 8;
const PAGE_HEAD = 27;
const BEGINS = 2;
/** First packets of streams: those that the library reads, other sound, and the description of all streams. */
const KNOWN = ["OpusHead", "\x01vorbis"];
const SOUND = [...KNOWN, "Speex   ", "\x7FFLAC"];
const SKELETON = "fishead\0";

/** Judges OGG: every stream must be of sound. The library knows Opus and Vorbis only, and skips all others. */
export async function judgeOgg(spooled: Spooled): Promise<Judged> {
  const isKnown = await requireSound(spooled);
  if (!isKnown) return { format: "ogg" };
  const { tracks, durationMs, firstFrame } = await readTracks(spooled).catch(() => {
    throw broken("ogg");
  });
  if (!firstFrame) throw broken("ogg");
  const isOpus = tracks.every(({ codec }) => codec === "opus");
  return { format: "ogg", ...(isOpus && { codec: "opus" }), durationMs };
}

/** Each stream begins with a page of its own, before all others. Returns whether the library can read one of them. */
async function requireSound(spooled: Spooled): Promise<boolean> {
  const packets: string[] = [];
  for (let at = 0; ; ) {
    const head = await readAt(spooled, at, PAGE_HEAD);
    if (head.length < PAGE_HEAD || head.toString("latin1", 0, 4) !== "OggS") throw broken("ogg");
    if (!(head[5]! & BEGINS)) break;
    if (packets.length === STREAMS_MAX) throw broken("ogg");
    const table = await readAt(spooled, at + PAGE_HEAD, head[26]!);
    const content = at + PAGE_HEAD + table.length;
    packets.push((await readAt(spooled, content, 8)).toString("latin1"));
    at = content + table.reduce((sum, each) => sum + each, 0);
  }
  const isOf = (starts: readonly string[]) => (packet: string) =>
    starts.some((start) => packet.startsWith(start));
  if (packets.some(isOf(["\x80theora"]))) throw otherFormat("OGG (Theora)");
  if (!packets.every(isOf([...SOUND, SKELETON]))) throw otherFormat("OGG (video)");
  if (!packets.some(isOf(SOUND))) throw broken("ogg");
  return packets.some(isOf(KNOWN));
}
