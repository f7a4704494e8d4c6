import type { Entry, ZipFile } from "yauzl";
import { isAppError } from "@/server/core/errors";
import { type DetectedFile, damagedFileError, type SpooledUpload } from "./detected-file";
import { inspectOffice, type OfficeParts, RELATIONS_PART, TYPES_PART } from "./inspect-office";
import { measureArchive } from "./measure-archive";
import { normalisePartName } from "./office-parts";
import { archiveError, openArchive } from "./open-archive";
import { removePadding } from "./padding";

const ENTRIES_MAX = 10_000;
/** Each ratio counts up to `bytes` unpacked; the best applies. Logs shrink to 1 %, bombs to 0.1 %. */
const UNPACKING_LIMITS = [
  { ratio: Number.POSITIVE_INFINITY, bytes: 1024 ** 2 },
  { ratio: 500, bytes: 100 * 1024 ** 2 },
  { ratio: 100, bytes: 10 * 1024 ** 3 },
];
const ARCHIVE_NAME = /\.(zip|gz|tgz|bz2|xz|7z|rar)$/i;
/** Maximum ratio of an inner archive: packed data hardly shrinks again, but repeated copies do. */
const REPACKED_RATIO_MAX = 10;
const MACRO_PART = /(^|\/)vbaProject\.bin$/i;

const getMaxUnpackedBytes = (archiveSize: number) =>
  Math.max(...UNPACKING_LIMITS.map(({ ratio, bytes }) => Math.min(ratio * archiveSize, bytes)));

/** Validates a ZIP, DOCX or PPTX: its directory, then the contents against the directory. */
export async function inspectArchive(spooled: SpooledUpload): Promise<DetectedFile> {
  try {
    return await inspectEntries(spooled);
  } catch (error) {
    throw isAppError(error) ? error : damagedFileError("zip");
  }
}

async function inspectEntries(spooled: SpooledUpload): Promise<DetectedFile> {
  await removePadding(spooled);
  const zip = await openArchive(spooled.path);
  try {
    if (zip.entryCount > ENTRIES_MAX) throw archiveError("media_bomb");
    const { parts, hasMacros } = await readDirectory(zip, spooled.size);
    if (zip.entryCount === 0) throw damagedFileError("zip");
    await measureArchive(spooled.path, getMaxUnpackedBytes(spooled.size));
    if (!parts[TYPES_PART]) return { format: "zip" };
    if (hasMacros) throw archiveError("media_macros");
    return await inspectOffice(zip, parts);
  } finally {
    zip.close();
  }
}

/** Longer names cannot be Office parts and are not kept: an archive can have many long ones. */
const PART_NAME_LENGTH_MAX = 200;

interface Directory {
  parts: OfficeParts;
  hasMacros: boolean;
}

function readDirectory(zip: ZipFile, archiveSize: number): Promise<Directory> {
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
      const problemKey =
        findProblemKey(entry, archiveSize) ??
        (unpackedBytes > getMaxUnpackedBytes(archiveSize) && "media_bomb");
      if (problemKey) return reject(archiveError(problemKey));
      const name = normalisePartName(entry.fileName);
      hasMacros ||= MACRO_PART.test(name);
      if (name === TYPES_PART || name === RELATIONS_PART) {
        if (parts[name]) return reject(damagedFileError("zip"));
        parts[name] = entry;
      } else if (name.length <= PART_NAME_LENGTH_MAX) parts.names.add(name);
      zip.readEntry();
    });
    zip.readEntry();
  });
}

function findProblemKey(entry: Entry, archiveSize: number): string | undefined {
  const { fileName, generalPurposeBitFlag: flags, externalFileAttributes: attributes } = entry;
  if (flags & 1) return "media_encrypted";
  const isLink = ((attributes >>> 16) & 0o170000) === 0o120000;
  if (isLink || fileName.includes("\0")) return "media_paths";
  if (!ARCHIVE_NAME.test(fileName)) return undefined;
  // An inner archive that packs well consists of copies; one as large as the outer may contain itself.
  const { uncompressedSize: innerSize, compressedSize: packedSize } = entry;
  if (innerSize > REPACKED_RATIO_MAX * packedSize) return "media_bomb";
  return innerSize >= archiveSize ? "media_endless" : undefined;
}
