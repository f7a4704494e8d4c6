import type { Readable } from "node:stream";
import type { Entry, ZipFile } from "yauzl";
import { isAppError } from "@/server/core/errors";
import { broken, type Judged, otherFormat, readAt, type Spooled } from "./judge-bytes";
import { measureArchive } from "./measure-archive";
import { openArchive, refusal } from "./open-archive";

const ENTRIES_MAX = 10_000;
/** How many times its own size an archive may hold, and how much at all. */
const RATIO_MAX = 100;
const UNPACKED_MAX = 10 * 1024 ** 3;
const TYPES_FILE = "[Content_Types].xml";
const TYPES_MAX = 1_048_576;
const ARCHIVE = /\.(zip|gz|tgz|bz2|xz|7z|rar)$/i;
/** How many times smaller an archive within the archive may become: what is packed hardly packs again, copies do. */
const REPACKED_MAX = 10;
const MACROS = /(^|\/)vbaProject\.bin$/i;
const SHEETS = "xl/workbook.xml";

const unpackedMax = (size: number) => Math.min(RATIO_MAX * size, UNPACKED_MAX);

/** The part that makes an Office file what it is, and the type it must be declared with. */
const OFFICE = {
  docx: { part: "word/document.xml", main: "wordprocessingml.document.main+xml" },
  pptx: { part: "ppt/presentation.xml", main: "presentationml.presentation.main+xml" },
} as const;

const TOLD = new Set<string>([SHEETS, ...Object.values(OFFICE).map(({ part }) => part)]);

/** Judges a ZIP, DOCX or PPTX by its directory, which is compared with its contents. */
export async function judgeArchive(spooled: Spooled): Promise<Judged> {
  try {
    return await judged(spooled);
  } catch (error) {
    throw isAppError(error) ? error : broken("zip");
  }
}

/** Judges a PDF: it must come to its end. */
export async function judgePdf(spooled: Spooled): Promise<Judged> {
  const tail = await readAt(spooled, Math.max(0, spooled.size - 1024), 1024);
  if (!tail.includes("%%EOF")) throw broken("pdf");
  return { format: "pdf" };
}

async function judged(spooled: Spooled): Promise<Judged> {
  const zip = await openArchive(spooled.path);
  try {
    if (zip.entryCount > ENTRIES_MAX) throw refusal("media_bomb");
    const { names, types, macros } = await directoryOf(zip, spooled.size);
    if (zip.entryCount === 0) throw broken("zip");
    await measureArchive(spooled.path, unpackedMax(spooled.size));
    if (!types) return { format: "zip" };
    const text = await textOf(zip, types);
    if (macros || /macroEnabled/i.test(text)) throw refusal("media_macros");
    for (const [format, { part, main }] of Object.entries(OFFICE))
      if (names.has(part) && text.includes(main)) return { format: format as keyof typeof OFFICE };
    throw otherFormat(names.has(SHEETS) ? "XLSX" : "Office Open XML");
  } finally {
    zip.close();
  }
}

/** What an archive's directory tells of it: of its names only those that decide, for they may be many and long. */
interface Directory {
  names: Set<string>;
  types?: Entry;
  macros: boolean;
}

/** Reads the directory of an archive. Throws when it holds what must not be unpacked. */
function directoryOf(zip: ZipFile, size: number): Promise<Directory> {
  return new Promise((resolve, reject) => {
    const names = new Set<string>();
    let types: Entry | undefined;
    let macros = false;
    let unpacked = 0;
    zip.on("error", (error: Error) =>
      reject(/fileName|path|characters/i.test(error.message) ? refusal("media_paths") : error),
    );
    zip.on("end", () => resolve({ names, types, macros }));
    zip.on("entry", (entry: Entry) => {
      unpacked += entry.uncompressedSize;
      const problem = problemWith(entry, size) ?? (unpacked > unpackedMax(size) && "media_bomb");
      if (problem) return reject(refusal(problem));
      if (TOLD.has(entry.fileName)) names.add(entry.fileName);
      macros ||= MACROS.test(entry.fileName);
      if (entry.fileName === TYPES_FILE) types = entry;
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
  // An archive as large as the one that holds it may be that one; one that packs well is made of copies, level by level.
  const { uncompressedSize: within, compressedSize: packed } = entry;
  if (within > REPACKED_MAX * packed) return "media_bomb";
  return within >= size ? "media_endless" : undefined;
}

/** The beginning of an entry, however long it says it is. */
async function textOf(zip: ZipFile, entry: Entry): Promise<string> {
  const stream = await new Promise<Readable>((resolve, reject) =>
    zip.openReadStream(entry, (error, readable) => (readable ? resolve(readable) : reject(error))),
  );
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= TYPES_MAX) break;
  }
  return Buffer.concat(chunks).subarray(0, TYPES_MAX).toString("utf8");
}
