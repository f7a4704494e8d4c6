import { readAt, type Spooled } from "./judge-bytes";

/** Maximum bytes before the audio: padding, part of a frame, or a tag other than ID3. */
const BEFORE_MAX = 16_384;
/** Consecutive frames that random bytes will not form. */
const FRAMES_MIN = 4;
const PIECE = 65_536;

interface LateSound {
  family: "mp3" | "aac" | "tagged";
  start: number;
}

/** Finds audio that does not start at the first byte, as in recordings cut from a stream. */
export function findLateAudio(head: Buffer): LateSound | undefined {
  const padding = head.findIndex((byte) => byte !== 0);
  if (padding <= BEFORE_MAX && head.toString("latin1", padding, padding + 3) === "ID3")
    return { family: "tagged", start: padding };
  for (
    let start = head.indexOf(0xff);
    start >= 0 && start <= BEFORE_MAX;
    start = head.indexOf(0xff, start + 1)
  ) {
    const frame = frameAt(head, start);
    if (frame && isFollowed(head, start, frame)) return { family: frame.family, start };
  }
  return undefined;
}

function isFollowed(head: Buffer, start: number, first: Frame): boolean {
  let at = start + first.length;
  for (let frames = 1; frames < FRAMES_MIN; frames++) {
    const frame = frameAt(head, at);
    if (frame?.stream !== first.stream) return false;
    at += frame.length;
  }
  return true;
}

interface Frame {
  family: "mp3" | "aac";
  stream: string;
  length: number;
}

function frameAt(head: Buffer, at: number): Frame | undefined {
  if (at + 6 > head.length || head[at] !== 0xff) return undefined;
  return (head[at + 1]! & 0xf6) === 0xf0 ? adtsFrame(head, at) : mp3Frame(head, at);
}

function adtsFrame(head: Buffer, at: number): Frame | undefined {
  const [bits, more] = [head[at + 2]!, head[at + 3]!];
  const length = ((more & 3) << 11) | (head[at + 4]! << 3) | (head[at + 5]! >> 5);
  if (((bits >> 2) & 15) > 12 || length <= 7) return undefined;
  return { family: "aac", stream: `aac ${bits & 0xfd} ${more & 0xc0}`, length };
}

/** Bit rates of layer III in kbit/s, for version 1 and the others, and sample rates. */
const RATES = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const RATES_LOW = [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const SAMPLES = [44_100, 48_000, 32_000];

function mp3Frame(head: Buffer, at: number): Frame | undefined {
  const [bits, more] = [head[at + 1]!, head[at + 2]!];
  const version = (bits >> 3) & 3;
  if ((bits & 0xe6) !== 0xe2 || version === 1) return undefined;
  const rate = (version === 3 ? RATES : RATES_LOW)[(more >> 4) - 1];
  const samples = SAMPLES[(more >> 2) & 3];
  if (!rate || !samples) return undefined;
  const divisor = { 3: 1, 2: 2, 0: 4 }[version]!;
  const length =
    Math.floor(((version === 3 ? 144 : 72) * rate * 1000 * divisor) / samples) + ((more >> 1) & 1);
  return { family: "mp3", stream: `mp3 ${version} ${samples}`, length };
}

/** Removes the bytes before the audio: players expect a frame or a tag at the start. */
export async function removeBefore(spooled: Spooled, start: number): Promise<void> {
  for (let at = start; at < spooled.size; at += PIECE) {
    const piece = await readAt(spooled, at, PIECE);
    await spooled.file.write(piece, 0, piece.length, at - start);
  }
  spooled.size -= start;
  await spooled.file.truncate(spooled.size);
  spooled.head = spooled.head.subarray(start);
}
