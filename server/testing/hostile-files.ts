import { crc32, deflateRawSync } from "node:zlib";

export interface RawEntry {
  name: string;
  compressed: Buffer;
  /** Size stated in the directory, possibly wrong. */
  size: number;
  method?: 0 | 8;
  flags?: number;
  crc?: number;
}

export function createRawZip(entries: RawEntry[]): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, compressed, size, method = 8, flags = 0, crc = 0 } of entries) {
    const bytes = Buffer.from(name);
    const commonHeader = Buffer.alloc(26);
    commonHeader.writeUInt16LE(20, 0);
    commonHeader.writeUInt16LE(flags, 2);
    commonHeader.writeUInt16LE(method, 4);
    commonHeader.writeUInt32LE(crc, 10);
    commonHeader.writeUInt32LE(compressed.length, 14);
    commonHeader.writeUInt32LE(size, 18);
    commonHeader.writeUInt16LE(bytes.length, 22);
    const centralHeader = Buffer.alloc(14);
    centralHeader.writeUInt32LE(offset, 10);
    files.push(Buffer.from("PK\x03\x04", "latin1"), commonHeader, bytes, compressed);
    directory.push(Buffer.from("PK\x01\x02\x14\x00", "latin1"), commonHeader, centralHeader, bytes);
    offset += 4 + commonHeader.length + bytes.length + compressed.length;
  }
  const centralDirectory = Buffer.concat(directory);
  const endRecord = Buffer.alloc(22);
  endRecord.write("PK\x05\x06", "latin1");
  endRecord.writeUInt16LE(Math.min(entries.length, 0xffff), 8);
  endRecord.writeUInt16LE(Math.min(entries.length, 0xffff), 10);
  endRecord.writeUInt32LE(centralDirectory.length, 12);
  endRecord.writeUInt32LE(offset, 16);
  return Buffer.concat([...files, centralDirectory, endRecord]);
}

const deflateEntry = (name: string, content: Buffer): RawEntry => ({
  name,
  compressed: deflateRawSync(content),
  size: content.length,
  crc: crc32(content),
});

/** Creates nested archives like 42.zip: small and valid at each level, petabytes when fully extracted. */
export function createNestedBomb(levels = 5): Buffer {
  let archive = createRawZip([deflateEntry("0.dll", Buffer.alloc(4 * 1024 * 1024))]);
  for (let level = 0; level < levels; level++) {
    const content = archive;
    archive = createRawZip(Array.from({ length: 16 }, (_, at) => deflateEntry(`lib ${at}.zip`, content)));
  }
  return archive;
}

/** Creates an ISO media box. `declaredSize` replaces its size by a 64-bit value. */
export function createIsoBox(type: string, content: Buffer, declaredSize?: bigint): Buffer {
  const header = Buffer.alloc(declaredSize === undefined ? 8 : 16);
  header.writeUInt32BE(declaredSize === undefined ? header.length + content.length : 1, 0);
  header.write(type, 4, "latin1");
  if (declaredSize !== undefined) header.writeBigUInt64BE(declaredSize, 8);
  return Buffer.concat([header, content]);
}

const BRAND_BOX = createIsoBox("ftyp", Buffer.from("isom\0\0\0\0isom"));

export function createHostileFilms(): Record<string, Buffer> {
  const nestBoxes = (depth: number): Buffer =>
    depth === 0 ? Buffer.alloc(0) : createIsoBox("trak", nestBoxes(depth - 1));
  const empty = Buffer.alloc(8);
  const emptyBox = Buffer.from("\0\0\0\0free", "latin1");
  return {
    "a box of 2^63 bytes": Buffer.concat([BRAND_BOX, createIsoBox("moov", empty, 2n ** 63n)]),
    "a box of 2^64 - 1 bytes": Buffer.concat([BRAND_BOX, createIsoBox("free", empty, 2n ** 64n - 1n)]),
    "a 64-bit box of 0 bytes": Buffer.concat([BRAND_BOX, createIsoBox("moov", empty, 0n)]),
    "a 64-bit box smaller than its head": Buffer.concat([BRAND_BOX, createIsoBox("moov", empty, 15n)]),
    "a film of no length within": Buffer.concat([
      BRAND_BOX,
      createIsoBox("moov", Buffer.concat([emptyBox, emptyBox])),
    ]),
    "boxes a hundred deep": Buffer.concat([BRAND_BOX, createIsoBox("moov", nestBoxes(100))]),
    "a million boxes": Buffer.concat([
      BRAND_BOX,
      ...Array.from({ length: 1_000_000 }, () => createIsoBox("free", Buffer.alloc(0))),
    ]),
    "a million boxes within": Buffer.concat([
      BRAND_BOX,
      createIsoBox(
        "moov",
        Buffer.concat(Array.from({ length: 1_000_000 }, () => createIsoBox("free", Buffer.alloc(0)))),
      ),
    ]),
    "a table of contents of 17 MB": Buffer.concat([
      BRAND_BOX,
      createIsoBox("moov", createIsoBox("trak", Buffer.alloc(17_000_000))),
    ]),
    "brands without an end": Buffer.concat([
      createIsoBox("ftyp", Buffer.alloc(60_000, "isom")),
      createIsoBox("moov", empty),
    ]),
  };
}

/** Creates an ASF header with an empty object, on which a file type library loops forever. */
export function createAsfLoop(): Buffer {
  const bytes = Buffer.alloc(55);
  Buffer.from("3026b2758e66cf11a6d900aa0062ce6c", "hex").copy(bytes);
  bytes.writeUInt32LE(55, 16);
  bytes.writeUInt32LE(1, 24);
  return bytes;
}
