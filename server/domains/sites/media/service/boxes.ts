import { damagedFile, readAt, type Spooled } from "./judge-bytes";

export const BOXES_MAX = 10_000;

export interface Box {
  type: string;
  typeAt: number;
  start: number;
  end: number;
}

/** Box types at the top level. Anything else after the last box is a trailer, which some phones append. */
const TOP_LEVEL =
  /^(ftyp|styp|pdin|moov|moof|mfra|mdat|free|skip|wide|uuid|meta|sidx|ssix|prft|emsg|udta|imda|pnot)$/;

/** Reads a box header. Returns undefined if the box does not fit into its container. */
export function boxAt(head: Buffer, { at, end }: { at: number; end: number }): Box | undefined {
  if (head.length < 8) return undefined;
  const type = head.toString("latin1", 4, 8);
  const short = head.readUInt32BE(0);
  let [size, skip] = [short, 8];
  if (short === 1) {
    if (head.length < 16) return undefined;
    [size, skip] = [Number(head.readBigUInt64BE(8)), 16];
  } else if (short === 0) size = end - at;
  return size >= skip && at + size <= end
    ? { type, typeAt: at + 4, start: at + skip, end: at + size }
    : undefined;
}

/** Yields the top-level boxes up to a trailer. Throws `validation` for a truncated box and for too many. */
export async function* boxesOf(spooled: Spooled): AsyncGenerator<Box> {
  const end = spooled.size;
  let boxes = 0;
  for (let at = 0; at < end; ) {
    const head = await readAt(spooled, at, 16);
    const box = boxAt(head, { at, end });
    const isCutOff = !box && TOP_LEVEL.test(head.toString("latin1", 4, 8));
    if (isCutOff || ++boxes > BOXES_MAX) throw damagedFile("mp4");
    if (!box || !isPrintable(box.type)) return;
    yield box;
    at = box.end;
  }
}

const isPrintable = (type: string) => /^[\x20-\x7E\xA9]{4}$/.test(type);

export function* boxesIn(content: Buffer, { start, end }: Pick<Box, "start" | "end">): Generator<Box> {
  let at = start;
  for (let boxes = 0; boxes < BOXES_MAX; boxes++) {
    const box = boxAt(content.subarray(at, Math.min(at + 16, end)), { at, end });
    if (!box) return;
    yield box;
    at = box.end;
  }
}

/** Finds a box by its path of types, taking the first match at each level. */
export function boxIn(
  content: Buffer,
  within: Pick<Box, "start" | "end">,
  [type, ...inner]: readonly string[],
): Box | undefined {
  for (const box of boxesIn(content, within))
    if (box.type === type) return inner.length > 0 ? boxIn(content, box, inner) : box;
  return undefined;
}
