import type { Entry, ZipFile } from "yauzl";
import { isAppError } from "@/server/core/errors";
import { type DetectedFile, damagedFile, type Spooled } from "./detected-file";
import { inspectOffice, type OfficeParts, RELATIONS_PART, TYPES_PART } from "./inspect-office";
import { measureArchive } from "./measure-archive";
import { normalisePartName } from "./office-parts";
import { archiveError, openArchive } from "./open-archive";
import { removePadding } from "./padding";

const ENTRIES_MAX = 10_000;
/** Maximum compression ratio up to each unpacked size. Tables and logs shrink to 1 %, bombs to 0.1 %. */
const RATIOS_MAX = [
  { ratio: Number.POSITIVE_INFINITY, bytes: 1024 ** 2 },
  { ratio: 500, bytes: 100 * 1024 ** 2 },
  { ratio: 100, bytes: 10 * 1024 ** 3 },
];
const ARCHIVE_NAME = /\.(zip|gz|tgz|bz2|xz|7z|rar)$/i;
/** Maximum ratio of an inner archive: packed data hardly shrinks again, but copies do. */
const REPACKED_RATIO_MAX = 10;
const MACRO_PART = /(^|\/)vbaProject\.bin$/i;

const maxUnpackedBytes = (size: number) =>
  Math.max(...RATIOS_MAX.map(({ ratio, bytes }) => Math.min(ratio * size, bytes)));

/** Validates a ZIP, DOCX or PPTX by its directory, and compares the directory with the contents. */
export async function inspectArchive(spooled: Spooled): Promise<DetectedFile> {
  try {
    return await detectFormat(spooled);
  } catch (error) {
    throw isAppError(error) ? error : damagedFile("zip");
  }
}

async function detectFormat(spooled: Spooled): Promise<DetectedFile> {
  await removePadding(spooled);
  const zip = await openArchive(spooled.path);
  try {
    if (zip.entryCount > ENTRIES_MAX) throw archiveError("media_bomb");
    const { parts, hasMacros } = await readDirectory(zip, spooled.size);
    if (zip.entryCount === 0) throw damagedFile("zip");
    await measureArchive(spooled.path, maxUnpackedBytes(spooled.size));
    if (!parts[TYPES_PART]) return { format: "zip" };
    if (hasMacros) throw archiveError("media_macros");
    return await inspectOffice(zip, parts);
  } finally {
    zip.close();
  }
}

/** Longer names cannot be Office parts and are not kept: an archive can have many long ones. */
const PART_NAME_MAX = 200;

interface Directory {
  parts: OfficeParts;
  hasMacros: boolean;
}

function readDirectory(zip: ZipFile, size: number): Promise<Directory> {
  return new Promise((resolve, reject) => {
    const parts: OfficeParts = { names: new Set() };
    let hasMacros = false;
    let unpackedBytes = 0;
    zip.on("error", (error: Error) =>
      reject(/fileName|path|characters/i.test(error.message) ? archiveError("media_paths") : error),
    );
    zip.on("end", () => resolve({ parts, hasMacros }));
    zip.on("entry", (entry: Entry) => {
      unpackedBytes += entry.uncompressedSize;
      const problem = findProblem(entry, size) ?? (unpackedBytes > maxUnpackedBytes(size) && "media_bomb");
      if (problem) return reject(archiveError(problem));
      const name = normalisePartName(entry.fileName);
      hasMacros ||= MACRO_PART.test(name);
      if (name === TYPES_PART || name === RELATIONS_PART) {
        if (parts[name]) return reject(damagedFile("zip"));
        parts[name] = entry;
      } else if (name.length <= PART_NAME_MAX) parts.names.add(name);
      zip.readEntry();
    });
    zip.readEntry();
  });
}

function findProblem(entry: Entry, size: number): string | undefined {
  const { fileName, generalPurposeBitFlag: flags, externalFileAttributes: attributes } = entry;
  if (flags & 1) return "media_encrypted";
  const isLink = ((attributes >>> 16) & 0o170000) === 0o120000;
  if (isLink || fileName.includes("\0")) return "media_paths";
  if (!ARCHIVE_NAME.test(fileName)) return undefined;
  // One as large as the outer archive may be a quine; one that packs well consists of copies.
  const { uncompressedSize: innerSize, compressedSize: packedSize } = entry;
  if (innerSize > REPACKED_RATIO_MAX * packedSize) return "media_bomb";
  return innerSize >= size ? "media_endless" : undefined;
}
