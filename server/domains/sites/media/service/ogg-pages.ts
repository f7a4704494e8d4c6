import { readAt, type Spooled } from "./judge-bytes";

const PAGE_HEAD = 27;
/** Up to 255 segments of 255 bytes. */
const PAGE_MAX = PAGE_HEAD + 255 + 255 * 255;
const WINDOW = 262_144;
const CAPTURE = "OggS";
const VERSION_0 = `${CAPTURE}\0`;
const FLAGS_MAX = 7;
const PACKET_HEAD = 64;

export interface Page {
  isFirst: boolean;
  serial: number;
  /** Samples up to its end; undefined if no packet ends in it. */
  granule?: number;
  packets: number;
  content: Buffer;
}

/** Yields the complete pages of a file. Reads each byte about once, even in a damaged file. */
export async function* pagesOf(spooled: Spooled): AsyncGenerator<Page> {
  let [from, bytes]: [number, Buffer] = [0, Buffer.alloc(0)];
  for (let at = 0; at + PAGE_HEAD <= spooled.size; ) {
    const end = from + bytes.length;
    if (at + PAGE_MAX > end && end < spooled.size) [from, bytes] = [at, await readAt(spooled, at, WINDOW)];
    const parsed = pageAt(bytes, at - from);
    if (parsed) yield parsed.page;
    at += parsed?.length ?? bytesToNextPage(bytes.subarray(at - from));
  }
}

function bytesToNextPage(bytes: Buffer): number {
  const next = bytes.indexOf(CAPTURE, 1);
  return next > 0 ? next : Math.max(1, bytes.length - CAPTURE.length);
}

function pageAt(bytes: Buffer, at: number): { page: Page; length: number } | undefined {
  if (at + PAGE_HEAD > bytes.length || bytes.toString("latin1", at, at + 5) !== VERSION_0) return undefined;
  if (bytes[at + 5]! > FLAGS_MAX) return undefined;
  const segments = bytes.subarray(at + PAGE_HEAD, at + PAGE_HEAD + bytes[at + 26]!);
  const length = segments.reduce((sum, each) => sum + each, 0);
  const start = at + PAGE_HEAD + bytes[at + 26]!;
  if (start + length > bytes.length) return undefined;
  const granule = Number(bytes.readBigInt64LE(at + 6));
  const page: Page = {
    isFirst: (bytes[at + 5]! & 2) !== 0,
    serial: bytes.readUInt32LE(at + 14),
    ...(granule >= 0 && { granule }),
    packets: segments.reduce((sum, each) => sum + (each < 255 ? 1 : 0), 0),
    content: bytes.subarray(start, start + Math.min(length, PACKET_HEAD)),
  };
  return { page, length: start + length - at };
}
