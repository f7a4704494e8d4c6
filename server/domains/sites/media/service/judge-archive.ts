import type { Entry, ZipFile } from "yauzl";
import { isAppError } from "@/server/core/errors";
import { type DetectedFile, damagedFile, type Spooled } from "./judge-bytes";
import { judgeOffice, type OfficeParts, RELATIONS_PART, TYPES_PART } from "./judge-office";
import { measureArchive } from "./measure-archive";
import { partName } from "./office-parts";
import { archiveError, openArchive } from "./open-archive";
import { removePadding } from "./padding";

const ENTRIES_MAX = 10_000;
/**
 * Maximum compression ratio by unpacked size. Word tables and logs shrink to less than 1 %, bombs to 0.1 %.
 */
const RATIOS_MAX = [
  { ratio: Number.POSITIVE_INFINITY, bytes: 1024 ** 2 },
  { ratio: 500, bytes: 100 * 1024 ** 2 },
  { ratio: 100, bytes: 10 * 1024 ** 3 },
];
const ARCHIVE = /\.(zip|gz|tgz|bz2|xz|7z|rar)$/i;
/** Maximum ratio of an archive inside the archive: packed data hardly shrinks again, copies do. */
const REPACKED_MAX = 10;
const MACROS = /(^|\/)vbaProject\.bin$/i;

const unpackedMax = (size: number) =>
  Math.max(...RATIOS_MAX.map(({ ratio, bytes }) => Math.min(ratio * size, bytes)));

/** Validates a ZIP, DOCX or PPTX by its directory, which is compared with the contents. */
export async function judgeArchive(spooled: Spooled): Promise<DetectedFile> {
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
    const { parts, macros } = await directoryOf(zip, spooled.size);
    if (zip.entryCount === 0) throw damagedFile("zip");
    await measureArchive(spooled.path, unpackedMax(spooled.size));
    if (!parts[TYPES_PART]) return { format: "zip" };
    if (macros) throw archiveError("media_macros");
    return await judgeOffice(zip, parts);
  } finally {
    zip.close();
  }
}

/** Names can be many and long; only names up to this length can be Office parts. */
const PART_NAME_MAX = 200;

interface Directory {
  parts: OfficeParts;
  macros: boolean;
}

function directoryOf(zip: ZipFile, size: number): Promise<Directory> {
  return new Promise((resolve, reject) => {
    const parts: OfficeParts = { names: new Set() };
    let macros = false;
    let unpacked = 0;
    zip.on("error", (error: Error) =>
      reject(/fileName|path|characters/i.test(error.message) ? archiveError("media_paths") : error),
    );
    zip.on("end", () => resolve({ parts, macros }));
    zip.on("entry", (entry: Entry) => {
      unpacked += entry.uncompressedSize;
      const problem = problemWith(entry, size) ?? (unpacked > unpackedMax(size) && "media_bomb");
      if (problem) return reject(archiveError(problem));
      const name = partName(entry.fileName);
      macros ||= MACROS.test(name);
      if (name === TYPES_PART || name === RELATIONS_PART) {
        if (parts[name]) return reject(damagedFile("zip"));
        parts[name] = entry;
      } else if (name.length <= PART_NAME_MAX) parts.names.add(name);
      zip.readEntry();
    });
    zip.readEntry();
  });
}

function problemWith(entry: Entry, size: number): string | undefined {
  const { fileName, generalPurposeBitFlag: flags, externalFileAttributes: attributes } = entry;
  if (flags & 1) return "media_encrypted";
  const isLink = ((attributes >>> 16) & 0o170000) === 0o120000;
  if (isLink || fileName.includes("\0")) return "media_paths";
  if (!ARCHIVE.test(fileName)) return undefined;
  // An inner archive as large as the outer may be a quine; one that packs well consists of copies.
  const { uncompressedSize: within, compressedSize: packed } = entry;
  if (within > REPACKED_MAX * packed) return "media_bomb";
  return within >= size ? "media_endless" : undefined;
}
