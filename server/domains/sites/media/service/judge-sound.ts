import { broken, type Judged, otherFormat, readAt, type Spooled } from "./judge-bytes";

/** Kilobits per second of layer III by index: MPEG 1, and MPEG 2 with 2.5. */
const RATES_1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const RATES_2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const HERTZ = [44_100, 48_000, 32_000];
/** Frames that must follow one another at the places they compute. */
const FRAMES = 3;

/** Judges sound without a container, behind an ID3 block or not: MP3, or AAC in ADTS frames. */
export async function judgeFrames(spooled: Spooled): Promise<Judged> {
  const start = tagLength(spooled.head);
  const first = await readAt(spooled, start, 4);
  const isAac = first[0] === 0xff && (first[1]! & 0xf6) === 0xf0;
  const format = isAac ? "aac" : "mp3";
  const lengthOf = isAac ? adtsLength : mp3Length;
  let at = start;
  for (let frame = 0; frame < FRAMES; frame++) {
    const length = lengthOf(await readAt(spooled, at, 7));
    if (length === undefined || at + length > spooled.size) throw broken(format);
    at += length;
  }
  return { format };
}

/** Bytes of an ID3 block at the start; seven bits of each byte count. */
function tagLength(head: Buffer): number {
  if (head.toString("latin1", 0, 3) !== "ID3") return 0;
  const size = head.subarray(6, 10);
  if (size.length < 4 || size.some((byte) => byte > 127)) throw broken("mp3");
  const footer = head[5]! & 0x10 ? 10 : 0;
  return 10 + footer + size.reduce((sum, byte) => sum * 128 + byte, 0);
}

function mp3Length(head: Buffer): number | undefined {
  if (head.length < 4 || head[0] !== 0xff || (head[1]! & 0xe6) !== 0xe2) return undefined;
  const version = (head[1]! >> 3) & 3;
  const [rate, hertz, padding] = [head[2]! >> 4, (head[2]! >> 2) & 3, (head[2]! >> 1) & 1];
  if (version === 1 || rate === 0 || rate === 15 || hertz === 3) return undefined;
  const samples = version === 3 ? 144 : 72;
  const divisor = version === 3 ? 1 : version === 2 ? 2 : 4;
  const bits = (version === 3 ? RATES_1 : RATES_2)[rate]! * 1000;
  return Math.floor((samples * bits) / (HERTZ[hertz]! / divisor)) + padding;
}

function adtsLength(head: Buffer): number | undefined {
  if (head.length < 7 || head[0] !== 0xff || (head[1]! & 0xf6) !== 0xf0) return undefined;
  const length = ((head[3]! & 3) << 11) | (head[4]! << 3) | (head[5]! >> 5);
  return length > 7 ? length : undefined;
}

/** Streams that one file may begin. */
const STREAMS_MAX = 8;
const SOUND = ["OpusHead", "\x01vorbis", "Speex   ", "\x7FFLAC"];

/** Judges OGG: each stream begins with a page of its own, which must be whole and of sound. */
export async function judgeOgg(spooled: Spooled): Promise<Judged> {
  for (let at = 0, streams = 0; ; streams++) {
    const head = await readAt(spooled, at, 27);
    const begins = head.length === 27 && head.toString("latin1", 0, 4) === "OggS" && head[4] === 0;
    if (streams > 0 && begins && !(head[5]! & 2)) return { format: "ogg" };
    if (!begins || !(head[5]! & 2) || streams === STREAMS_MAX) throw broken("ogg");
    const table = await readAt(spooled, at + 27, head[26]!);
    const content = table.reduce((sum, each) => sum + each, 0);
    const length = 27 + table.length + content;
    const page = await readAt(spooled, at, length);
    if (page.length < length || !isWhole(page)) throw broken("ogg");
    const packet = page.toString("latin1", 27 + table.length, 27 + table.length + 8);
    if (packet.startsWith("\x80theora")) throw otherFormat("OGG (Theora)");
    if (!SOUND.some((start) => packet.startsWith(start))) throw broken("ogg");
    at += length;
  }
}

/** Whether a page has the checksum it says: CRC-32 with 04C11DB7, over the page with that field empty. */
function isWhole(page: Buffer): boolean {
  const said = page.readUInt32LE(22);
  let sum = 0;
  for (let at = 0; at < page.length; at++) {
    const byte = at >= 22 && at < 26 ? 0 : page[at]!;
    sum ^= byte << 24;
    for (let bit = 0; bit < 8; bit++) sum = sum & 0x80000000 ? (sum << 1) ^ 0x04c11db7 : sum << 1;
  }
  return sum >>> 0 === said;
}
