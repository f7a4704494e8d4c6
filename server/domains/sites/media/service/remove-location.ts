import { BOXES_MAX, type Box, parseBoxHeader, readTopLevelBoxes } from "./boxes";
import { damagedFileError, readBytesAt, type SpooledUpload } from "./detected-file";

/** Boxes with a location: QuickTime, 3GPP, GoPro, and XMP in user data. */
const LOCATION_TYPES = new Set(["\xa9xyz", "loci", "GPMF", "XMP_"]);
const LOCATION_KEY = /location|iso6709|gps/i;
const XMP_UUID = "be7acfcb97a942e89c71999491e3afac";
const CONTAINER_TYPES = new Set(["moov", "trak", "udta", "meta", "ilst", "moof", "traf"]);
const DEPTH_MAX = 8;
const READ_BYTES_MAX = 16 * 1_048_576;
const CHUNK_BYTES = 65_536;

/** Replaces boxes with a location by `free` boxes of the same size, so that all offsets stay valid. */
export async function removeLocation(spooled: SpooledUpload): Promise<void> {
  for await (const box of readTopLevelBoxes(spooled))
    for (const locationBox of await findLocations(spooled, box)) await blankBox(spooled, locationBox);
}

async function findLocations(spooled: SpooledUpload, box: Box): Promise<Box[]> {
  const length = box.end - box.start;
  if (box.type === "uuid") return isXmp(await readBytesAt(spooled, box.start, 16)) ? [box] : [];
  if (!CONTAINER_TYPES.has(box.type)) return [];
  // A container too large to read is blanked as a whole.
  if (length > READ_BYTES_MAX) return [box];
  const content = await readBytesAt(spooled, box.start, length);
  const root = { ...box, start: 0, end: content.length };
  const boxes = findNestedLocations(content, root, { keys: [], depth: 1, counter: { boxCount: 0 } });
  return boxes.map((locationBox) => ({
    ...locationBox,
    typeAt: locationBox.typeAt + box.start,
    start: locationBox.start + box.start,
    end: locationBox.end + box.start,
  }));
}

const isXmp = (id: Buffer) => id.toString("hex") === XMP_UUID;

interface WalkState {
  keys: string[];
  depth: number;
  counter: { boxCount: number };
}

function findNestedLocations(
  content: Buffer,
  { type, start, end }: Box,
  { keys, depth, counter }: WalkState,
): Box[] {
  const boxes: Box[] = [];
  let listKeys = keys;
  for (let at = start + (type === "meta" ? getVersionLength(content, start) : 0); at < end; ) {
    const box = parseBoxHeader(content.subarray(at, Math.min(at + 16, end)), { at, end });
    if (!box) break;
    if (++counter.boxCount > BOXES_MAX || depth > DEPTH_MAX) throw damagedFileError("mp4");
    if (box.type === "keys") listKeys = parseKeys(content.subarray(box.start, box.end));
    const key = type === "ilst" ? listKeys[content.readUInt32BE(at + 4) - 1] : undefined;
    const isLocation = LOCATION_TYPES.has(box.type) || (key !== undefined && LOCATION_KEY.test(key));
    if (isLocation || (box.type === "uuid" && isXmp(content.subarray(box.start, box.start + 16))))
      boxes.push(box);
    else if (CONTAINER_TYPES.has(box.type))
      boxes.push(...findNestedLocations(content, box, { keys: listKeys, depth: depth + 1, counter }));
    at = box.end;
  }
  return boxes;
}

/** A `meta` box starts with its version; QuickTime's starts with its first box. */
function getVersionLength(content: Buffer, start: number): number {
  return content.toString("latin1", start + 4, start + 8) === "hdlr" ? 0 : 4;
}

function parseKeys(content: Buffer): string[] {
  const names: string[] = [];
  for (let at = 8; at + 8 <= content.length; ) {
    const size = content.readUInt32BE(at);
    if (size < 8) break;
    names.push(content.toString("latin1", at + 8, at + size));
    at += size;
  }
  return names;
}

async function blankBox({ file }: SpooledUpload, { start, end, typeAt }: Box): Promise<void> {
  await file.write("free", typeAt, "latin1");
  for (let at = start; at < end; at += CHUNK_BYTES) {
    const length = Math.min(CHUNK_BYTES, end - at);
    await file.write(Buffer.alloc(length), 0, length, at);
  }
}
