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

/** Writes a ZIP archive with arbitrary, possibly wrong metadata. */
export function rawZip(entries: RawEntry[]): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { name, compressed, size, method = 8, flags = 0, crc = 0 } of entries) {
    const bytes = Buffer.from(name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(flags, 2);
    common.writeUInt16LE(method, 4);
    common.writeUInt32LE(crc, 10);
    common.writeUInt32LE(compressed.length, 14);
    common.writeUInt32LE(size, 18);
    common.writeUInt16LE(bytes.length, 22);
    const central = Buffer.alloc(14);
    central.writeUInt32LE(at, 10);
    files.push(Buffer.from("PK\x03\x04", "latin1"), common, bytes, compressed);
    directory.push(Buffer.from("PK\x01\x02\x14\x00", "latin1"), common, central, bytes);
    at += 4 + common.length + bytes.length + compressed.length;
  }
  const table = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(Math.min(entries.length, 0xffff), 8);
  end.writeUInt16LE(Math.min(entries.length, 0xffff), 10);
  end.writeUInt32LE(table.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...files, table, end]);
}

const deflatedEntry = (name: string, content: Buffer): RawEntry => ({
  name,
  compressed: deflateRawSync(content),
  size: content.length,
  crc: crc32(content),
});

/** Creates nested archives like 42.zip: small and valid at each level, petabytes when fully extracted. */
export function nestedBomb(levels = 5): Buffer {
  let inner = rawZip([deflatedEntry("0.dll", Buffer.alloc(4 * 1024 * 1024))]);
  for (let level = 0; level < levels; level++) {
    const content = inner;
    inner = rawZip(Array.from({ length: 16 }, (_, at) => deflatedEntry(`lib ${at}.zip`, content)));
  }
  return inner;
}

/** Creates an ISO media box; `says` overrides its size with a 64-bit value. */
export function isoBox(type: string, content: Buffer, says?: bigint): Buffer {
  const head = Buffer.alloc(says === undefined ? 8 : 16);
  head.writeUInt32BE(says === undefined ? head.length + content.length : 1, 0);
  head.write(type, 4, "latin1");
  if (says !== undefined) head.writeBigUInt64BE(says, 8);
  return Buffer.concat([head, content]);
}

const BRAND = isoBox("ftyp", Buffer.from("isom\0\0\0\0isom"));

/** Films whose boxes loop, exceed the file or nest too deeply. */
export function hostileFilms(): Record<string, Buffer> {
  const nested = (depth: number): Buffer =>
    depth === 0 ? Buffer.alloc(0) : isoBox("trak", nested(depth - 1));
  const empty = Buffer.alloc(8);
  const emptyBox = Buffer.from("\0\0\0\0free", "latin1");
  return {
    "a box of 2^63 bytes": Buffer.concat([BRAND, isoBox("moov", empty, 2n ** 63n)]),
    "a box of 2^64 - 1 bytes": Buffer.concat([BRAND, isoBox("free", empty, 2n ** 64n - 1n)]),
    "a 64-bit box of 0 bytes": Buffer.concat([BRAND, isoBox("moov", empty, 0n)]),
    "a 64-bit box smaller than its head": Buffer.concat([BRAND, isoBox("moov", empty, 15n)]),
    "a film of no length within": Buffer.concat([BRAND, isoBox("moov", Buffer.concat([emptyBox, emptyBox]))]),
    "boxes a hundred deep": Buffer.concat([BRAND, isoBox("moov", nested(100))]),
    "a million boxes": Buffer.concat([
      BRAND,
      ...Array.from({ length: 1_000_000 }, () => isoBox("free", Buffer.alloc(0))),
    ]),
    "a million boxes within": Buffer.concat([
      BRAND,
      isoBox("moov", Buffer.concat(Array.from({ length: 1_000_000 }, () => isoBox("free", Buffer.alloc(0))))),
    ]),
    "a table of contents of 17 MB": Buffer.concat([
      BRAND,
      isoBox("moov", isoBox("trak", Buffer.alloc(17_000_000))),
    ]),
    "brands without an end": Buffer.concat([
      isoBox("ftyp", Buffer.alloc(60_000, "isom")),
      isoBox("moov", empty),
    ]),
  };
}

/** ASF header containing an empty object, which sends a sniffing library into an endless loop. */
export function asfLoop(): Buffer {
  const bytes = Buffer.alloc(55);
  Buffer.from("3026b2758e66cf11a6d900aa0062ce6c", "hex").copy(bytes);
  bytes.writeUInt32LE(55, 16);
  bytes.writeUInt32LE(1, 24);
  return bytes;
}
