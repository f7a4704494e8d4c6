import { inflateRawSync } from "node:zlib";

export function unzip(archive: Buffer): Map<string, Buffer> {
  const endRecord = archive.lastIndexOf(Buffer.from("PK\x05\x06", "latin1"));
  const files = new Map<string, Buffer>();
  let position = archive.readUInt32LE(endRecord + 16);
  for (let remaining = archive.readUInt16LE(endRecord + 10); remaining > 0; remaining--) {
    const [method, compressedSize] = [
      archive.readUInt16LE(position + 10),
      archive.readUInt32LE(position + 20),
    ];
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((offset) =>
      archive.readUInt16LE(position + offset),
    );
    const name = archive.toString("utf8", position + 46, position + 46 + nameLength!);
    const localHeader = archive.readUInt32LE(position + 42);
    const start =
      localHeader + 30 + archive.readUInt16LE(localHeader + 26) + archive.readUInt16LE(localHeader + 28);
    const content = archive.subarray(start, start + compressedSize);
    files.set(name, method === 8 ? inflateRawSync(content) : content);
    position += 46 + nameLength! + extraLength! + commentLength!;
  }
  return files;
}
