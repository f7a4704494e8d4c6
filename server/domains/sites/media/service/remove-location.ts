import { BOXES_MAX, type Box, boxAt, boxesOf } from "./boxes";
import { damagedFile, readAt, type Spooled } from "./judge-bytes";

/** Boxes with a location: QuickTime, 3GPP, GoPro, and XMP in user data. */
const PLACES = new Set(["\xa9xyz", "loci", "GPMF", "XMP_"]);
const PLACE_KEY = /location|iso6709|gps/i;
const XMP = "be7acfcb97a942e89c71999491e3afac";
const HOLDERS = new Set(["moov", "trak", "udta", "meta", "ilst", "moof", "traf"]);
const DEPTH_MAX = 8;
/** A larger metadata box is removed whole. */
const READ_MAX = 16 * 1_048_576;
const PIECE = 65_536;

/**
 * Removes the recording location from a validated file. Boxes become `free` with the same size, so that all
 * offsets stay valid. Throws `validation` for too many boxes or levels.
 */
export async function removeLocation(spooled: Spooled): Promise<void> {
  for await (const box of boxesOf(spooled))
    for (const location of await placesIn(spooled, box)) await blank(spooled, location);
}

async function placesIn(spooled: Spooled, box: Box): Promise<Box[]> {
  const length = box.end - box.start;
  if (box.type === "uuid") return isXmp(await readAt(spooled, box.start, 16)) ? [box] : [];
  if (!HOLDERS.has(box.type)) return [];
  if (length > READ_MAX) return [box];
  const content = await readAt(spooled, box.start, length);
  const root = { ...box, start: 0, end: content.length };
  const boxes = placesWithin(content, root, { keys: [], depth: 1, counter: { boxes: 0 } });
  return boxes.map((each) => ({
    ...each,
    typeAt: each.typeAt + box.start,
    start: each.start + box.start,
    end: each.end + box.start,
  }));
}

const isXmp = (id: Buffer) => id.toString("hex") === XMP;

interface Walk {
  keys: string[];
  depth: number;
  counter: { boxes: number };
}

/** Walks nested boxes, up to the first that does not fit. */
function placesWithin(content: Buffer, { type, start, end }: Box, { keys, depth, counter }: Walk): Box[] {
  const boxes: Box[] = [];
  let listKeys = keys;
  for (let at = start + (type === "meta" ? versionLength(content, start) : 0); at < end; ) {
    const box = boxAt(content.subarray(at, Math.min(at + 16, end)), { at, end });
    if (!box) break;
    if (++counter.boxes > BOXES_MAX || depth > DEPTH_MAX) throw damagedFile("mp4");
    if (box.type === "keys") listKeys = keysOf(content.subarray(box.start, box.end));
    const key = type === "ilst" ? listKeys[content.readUInt32BE(at + 4) - 1] : undefined;
    const isPlace = PLACES.has(box.type) || (key !== undefined && PLACE_KEY.test(key));
    if (isPlace || (box.type === "uuid" && isXmp(content.subarray(box.start, box.start + 16))))
      boxes.push(box);
    else if (HOLDERS.has(box.type))
      boxes.push(...placesWithin(content, box, { keys: listKeys, depth: depth + 1, counter }));
    at = box.end;
  }
  return boxes;
}

/** A `meta` box starts with its version; QuickTime's starts with its first box. */
function versionLength(content: Buffer, start: number): number {
  return content.toString("latin1", start + 4, start + 8) === "hdlr" ? 0 : 4;
}

function keysOf(content: Buffer): string[] {
  const names: string[] = [];
  for (let at = 8; at + 8 <= content.length; ) {
    const size = content.readUInt32BE(at);
    if (size < 8) break;
    names.push(content.toString("latin1", at + 8, at + size));
    at += size;
  }
  return names;
}

async function blank({ file }: Spooled, { start, end, typeAt }: Box): Promise<void> {
  await file.write("free", typeAt, "latin1");
  for (let at = start; at < end; at += PIECE) {
    const length = Math.min(PIECE, end - at);
    await file.write(Buffer.alloc(length), 0, length, at);
  }
}
