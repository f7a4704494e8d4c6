import { readBytesAt, type SpooledUpload } from "./detected-file";

/** Maximum bytes before the audio: padding, part of a frame, or a tag other than ID3. */
const LEADING_BYTES_MAX = 16_384;
/** Minimum number of consecutive frames. Random bytes form fewer. */
const FRAMES_MIN = 4;
const CHUNK_BYTES = 65_536;

interface LateAudio {
  family: "mp3" | "aac" | "tagged";
  start: number;
}

/** Finds audio that does not start at the first byte, as in recordings cut from a stream. */
export function findLateAudio(head: Buffer): LateAudio | undefined {
  const paddingEnd = head.findIndex((byte) => byte !== 0);
  if (paddingEnd <= LEADING_BYTES_MAX && head.toString("latin1", paddingEnd, paddingEnd + 3) === "ID3")
    return { family: "tagged", start: paddingEnd };
  for (
    let start = head.indexOf(0xff);
    start >= 0 && start <= LEADING_BYTES_MAX;
    start = head.indexOf(0xff, start + 1)
  ) {
    const frame = parseFrame(head, start);
    if (frame && isFollowedByFrames(head, start, frame)) return { family: frame.family, start };
  }
  return undefined;
}

function isFollowedByFrames(head: Buffer, start: number, firstFrame: Frame): boolean {
  let at = start + firstFrame.length;
  for (let frameCount = 1; frameCount < FRAMES_MIN; frameCount++) {
    const frame = parseFrame(head, at);
    if (frame?.stream !== firstFrame.stream) return false;
    at += frame.length;
  }
  return true;
}

interface Frame {
  family: "mp3" | "aac";
  stream: string;
  length: number;
}

function parseFrame(head: Buffer, at: number): Frame | undefined {
  if (at + 6 > head.length || head[at] !== 0xff) return undefined;
  return (head[at + 1]! & 0xf6) === 0xf0 ? parseAdtsFrame(head, at) : parseMp3Frame(head, at);
}

function parseAdtsFrame(head: Buffer, at: number): Frame | undefined {
  const [byte2, byte3] = [head[at + 2]!, head[at + 3]!];
  const length = ((byte3 & 3) << 11) | (head[at + 4]! << 3) | (head[at + 5]! >> 5);
  if (((byte2 >> 2) & 15) > 12 || length <= 7) return undefined;
  return { family: "aac", stream: `aac ${byte2 & 0xfd} ${byte3 & 0xc0}`, length };
}

/** Bit rates of layer III in kbit/s, by MPEG version, and sample rates in Hz. */
const BIT_RATES_VERSION_1 = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const BIT_RATES_LOWER_VERSIONS = [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const SAMPLE_RATES = [44_100, 48_000, 32_000];

function parseMp3Frame(head: Buffer, at: number): Frame | undefined {
  const [byte1, byte2] = [head[at + 1]!, head[at + 2]!];
  const version = (byte1 >> 3) & 3;
  if ((byte1 & 0xe6) !== 0xe2 || version === 1) return undefined;
  const bitRate = (version === 3 ? BIT_RATES_VERSION_1 : BIT_RATES_LOWER_VERSIONS)[(byte2 >> 4) - 1];
  const sampleRate = SAMPLE_RATES[(byte2 >> 2) & 3];
  if (!bitRate || !sampleRate) return undefined;
  const divisor = { 3: 1, 2: 2, 0: 4 }[version]!;
  const length =
    Math.floor(((version === 3 ? 144 : 72) * bitRate * 1000 * divisor) / sampleRate) + ((byte2 >> 1) & 1);
  return { family: "mp3", stream: `mp3 ${version} ${sampleRate}`, length };
}

/** Removes the bytes before the audio, because players expect a frame or a tag at the start. */
export async function removeBytesBefore(spooled: SpooledUpload, start: number): Promise<void> {
  for (let at = start; at < spooled.size; at += CHUNK_BYTES) {
    const chunk = await readBytesAt(spooled, at, CHUNK_BYTES);
    await spooled.file.write(chunk, 0, chunk.length, at - start);
  }
  spooled.size -= start;
  await spooled.file.truncate(spooled.size);
  spooled.head = spooled.head.subarray(start);
}
