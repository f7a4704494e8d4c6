import { damagedFileError, readBytesAt, type SpooledUpload } from "./detected-file";

export const BOXES_MAX = 10_000;

/** Box of an ISO file (MP4, 3GPP). Positions are in bytes; `start` and `end` enclose the content. */
export interface Box {
  type: string;
  typeAt: number;
  start: number;
  end: number;
}

/** Box types at the top level. Any other bytes are a trailer, which some phones append to the file. */
const TOP_LEVEL_TYPES =
  /^(ftyp|styp|pdin|moov|moof|mfra|mdat|free|skip|wide|uuid|meta|sidx|ssix|prft|emsg|udta|imda|pnot)$/;

/** Reads a box header. Returns undefined if the box does not fit into its container. */
export function parseBoxHeader(head: Buffer, { at, end }: { at: number; end: number }): Box | undefined {
  if (head.length < 8) return undefined;
  const type = head.toString("latin1", 4, 8);
  const shortSize = head.readUInt32BE(0);
  let [size, headerLength] = [shortSize, 8];
  if (shortSize === 1) {
    if (head.length < 16) return undefined;
    [size, headerLength] = [Number(head.readBigUInt64BE(8)), 16];
  } else if (shortSize === 0) size = end - at;
  return size >= headerLength && at + size <= end
    ? { type, typeAt: at + 4, start: at + headerLength, end: at + size }
    : undefined;
}

export async function* readTopLevelBoxes(spooled: SpooledUpload): AsyncGenerator<Box> {
  const end = spooled.size;
  let boxCount = 0;
  for (let at = 0; at < end; ) {
    const head = await readBytesAt(spooled, at, 16);
    const box = parseBoxHeader(head, { at, end });
    const isCutOff = !box && TOP_LEVEL_TYPES.test(head.toString("latin1", 4, 8));
    if (isCutOff || ++boxCount > BOXES_MAX) throw damagedFileError("mp4");
    if (!box || !isPrintable(box.type)) return;
    yield box;
    at = box.end;
  }
}

const isPrintable = (type: string) => /^[\x20-\x7E\xA9]{4}$/.test(type);

export function* iterateBoxes(content: Buffer, { start, end }: Pick<Box, "start" | "end">): Generator<Box> {
  let at = start;
  for (let boxCount = 0; boxCount < BOXES_MAX; boxCount++) {
    const box = parseBoxHeader(content.subarray(at, Math.min(at + 16, end)), { at, end });
    if (!box) return;
    yield box;
    at = box.end;
  }
}

/** Finds the first box at a path of types, such as `mdia`, `mdhd`. */
export function findBox(
  content: Buffer,
  container: Pick<Box, "start" | "end">,
  [type, ...innerPath]: readonly string[],
): Box | undefined {
  for (const box of iterateBoxes(content, container))
    if (box.type === type) return innerPath.length > 0 ? findBox(content, box, innerPath) : box;
  return undefined;
}
