import { BOXES_MAX, type Box, boxAt, boxesOf } from "./boxes";
import { broken, readAt, type Spooled } from "./judge-bytes";

/** Boxes that hold the place: QuickTime's, 3GPP's, GoPro's, and XMP inside user data. */
const PLACES = new Set(["\xa9xyz", "loci", "GPMF", "XMP_"]);
/** Apple's keys of a place, in a list of metadata. */
const PLACE_KEY = /location|iso6709|gps/i;
const XMP = "be7acfcb97a942e89c71999491e3afac";
const HOLDERS = new Set(["moov", "trak", "udta", "meta", "ilst", "moof", "traf"]);
const DEPTH_MAX = 8;
/** A box of metadata that is larger is removed whole. */
const READ_MAX = 16 * 1_048_576;
const PIECE = 65_536;

/**
 * Removes where a film or a recording was made. Boxes become `free` and keep their size, so that all offsets hold; the
 * tracks have been judged before. Throws `validation` for more boxes or levels than a film may have.
 */
export async function removePlace(spooled: Spooled): Promise<void> {
  for await (const box of boxesOf(spooled))
    for (const each of await placesIn(spooled, box)) await blank(spooled, each);
}

/** Returns the boxes to remove, the box itself perhaps. */
async function placesIn(spooled: Spooled, box: Box): Promise<Box[]> {
  const length = box.end - box.start;
  if (box.type === "uuid") return isXmp(await readAt(spooled, box.start, 16)) ? [box] : [];
  if (!HOLDERS.has(box.type)) return [];
  if (length > READ_MAX) return [box];
  const content = await readAt(spooled, box.start, length);
  const whole = { ...box, start: 0, end: content.length };
  const found = placesWithin(content, whole, { keys: [], depth: 1, walked: { boxes: 0 } });
  return found.map((each) => ({
    ...each,
    typeAt: each.typeAt + box.start,
    start: each.start + box.start,
    end: each.end + box.start,
  }));
}

const isXmp = (id: Buffer) => id.toString("hex") === XMP;

interface Walk {
  /** Names of the list of metadata that the box is in. */
  keys: string[];
  depth: number;
  walked: { boxes: number };
}

/** Walks the boxes within a box, as far as they fit into one another. */
function placesWithin(content: Buffer, { type, start, end }: Box, { keys, depth, walked }: Walk): Box[] {
  const found: Box[] = [];
  let named = keys;
  for (let at = start + (type === "meta" ? versionLength(content, start) : 0); at < end; ) {
    const box = boxAt(content.subarray(at, Math.min(at + 16, end)), { at, end });
    if (!box) break;
    if (++walked.boxes > BOXES_MAX || depth > DEPTH_MAX) throw broken("mp4");
    if (box.type === "keys") named = keysOf(content.subarray(box.start, box.end));
    const key = type === "ilst" ? named[content.readUInt32BE(at + 4) - 1] : undefined;
    const isPlace = PLACES.has(box.type) || (key !== undefined && PLACE_KEY.test(key));
    if (isPlace || (box.type === "uuid" && isXmp(content.subarray(box.start, box.start + 16))))
      found.push(box);
    else if (HOLDERS.has(box.type))
      found.push(...placesWithin(content, box, { keys: named, depth: depth + 1, walked }));
    at = box.end;
  }
  return found;
}

/** A `meta` box begins with its version, except QuickTime's, which begins with its first box. */
function versionLength(content: Buffer, start: number): number {
  return content.toString("latin1", start + 4, start + 8) === "hdlr" ? 0 : 4;
}

/** The names of a list of metadata, whose entries refer to them by number. */
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
