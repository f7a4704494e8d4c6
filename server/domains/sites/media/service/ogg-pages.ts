import { readBytesAt, type SpooledUpload } from "./detected-file";

const PAGE_HEAD_BYTES = 27;
/** Up to 255 segments of 255 bytes. */
const PAGE_BYTES_MAX = PAGE_HEAD_BYTES + 255 + 255 * 255;
const WINDOW_BYTES = 262_144;
const CAPTURE_PATTERN = "OggS";
const VERSION_0_START = `${CAPTURE_PATTERN}\0`;
const FLAGS_MAX = 7;
const PACKET_HEAD_BYTES = 64;

export interface OggPage {
  /** True for the first page of a stream, which contains its header. */
  startsStream: boolean;
  serial: number;
  /** Number of samples up to the end of the page; undefined if no packet ends in it. */
  granule?: number;
  packetCount: number;
  content: Buffer;
}

/** Yields the complete pages of a file. Reads each byte about once, even in a damaged file. */
export async function* readOggPages(spooled: SpooledUpload): AsyncGenerator<OggPage> {
  let [windowStart, windowBytes]: [number, Buffer] = [0, Buffer.alloc(0)];
  for (let at = 0; at + PAGE_HEAD_BYTES <= spooled.size; ) {
    const end = windowStart + windowBytes.length;
    if (at + PAGE_BYTES_MAX > end && end < spooled.size)
      [windowStart, windowBytes] = [at, await readBytesAt(spooled, at, WINDOW_BYTES)];
    const parsedPage = parseOggPage(windowBytes, at - windowStart);
    if (parsedPage) yield parsedPage.page;
    at += parsedPage?.length ?? countBytesToNextPage(windowBytes.subarray(at - windowStart));
  }
}

function countBytesToNextPage(bytes: Buffer): number {
  const nextAt = bytes.indexOf(CAPTURE_PATTERN, 1);
  return nextAt > 0 ? nextAt : Math.max(1, bytes.length - CAPTURE_PATTERN.length);
}

function parseOggPage(bytes: Buffer, at: number): { page: OggPage; length: number } | undefined {
  if (at + PAGE_HEAD_BYTES > bytes.length || bytes.toString("latin1", at, at + 5) !== VERSION_0_START)
    return undefined;
  if (bytes[at + 5]! > FLAGS_MAX) return undefined;
  const segments = bytes.subarray(at + PAGE_HEAD_BYTES, at + PAGE_HEAD_BYTES + bytes[at + 26]!);
  const contentLength = segments.reduce((sum, segmentLength) => sum + segmentLength, 0);
  const start = at + PAGE_HEAD_BYTES + bytes[at + 26]!;
  if (start + contentLength > bytes.length) return undefined;
  const granule = Number(bytes.readBigInt64LE(at + 6));
  const page: OggPage = {
    startsStream: (bytes[at + 5]! & 2) !== 0,
    serial: bytes.readUInt32LE(at + 14),
    ...(granule >= 0 && { granule }),
    packetCount: segments.reduce((sum, segmentLength) => sum + (segmentLength < 255 ? 1 : 0), 0),
    content: bytes.subarray(start, start + Math.min(contentLength, PACKET_HEAD_BYTES)),
  };
  return { page, length: start + contentLength - at };
}
