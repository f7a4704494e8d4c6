import { createReadStream } from "node:fs";
import { open, rm } from "node:fs/promises";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import type { Entry, LocalFileHeader, ZipFile } from "yauzl";
import { isAppError } from "@/server/core/errors";
import { createTaskQueue } from "@/server/infrastructure/concurrency";
import { damagedFileError } from "./detected-file";
import { archiveError, openArchive } from "./open-archive";

const DEPTH_MAX = 4;
const ENTRIES_MAX = 100_000;
/** Maximum bytes to unpack: validation must take seconds, not minutes. */
const READ_BYTES_MAX = 1024 ** 3;
const METHOD_STORED = 0;
const METHOD_DEFLATED = 8;

/** Bytes and entries that may still be unpacked and read, in the archive and its nested ones. */
interface Budget {
  unpackedBytes: number;
  readBytes: number;
  entryCount: number;
}

/** Measures one archive at a time, because each occupies a thread of the pool. */
const measureOneByOne = createTaskQueue({ running: 1, waiting: 200 });

/** Throws `validation` for wrong sizes, overlaps, or more than `maxBytes` with all nested archives. */
export function measureArchive(path: string, maxBytes: number): Promise<void> {
  return measureOneByOne(() =>
    measureArchiveLevel(path, 0, {
      unpackedBytes: maxBytes,
      readBytes: READ_BYTES_MAX,
      entryCount: ENTRIES_MAX,
    }),
  );
}

async function measureArchiveLevel(path: string, depth: number, budget: Budget): Promise<void> {
  if (depth > DEPTH_MAX) throw archiveError("media_bomb");
  const zip = await openArchive(path);
  const spans: Array<{ start: number; end: number }> = [];
  try {
    for await (const entry of zip.eachEntry()) {
      budget.unpackedBytes -= entry.uncompressedSize;
      if (--budget.entryCount < 0 || budget.unpackedBytes < 0) throw archiveError("media_bomb");
      const localHeader = await zip.readLocalFileHeaderPromise(entry);
      if (!areHeadersEqual(entry, localHeader)) throw damagedFileError("zip");
      const start = entry.relativeOffsetOfLocalHeader;
      spans.push({ start, end: localHeader.fileDataStart + entry.compressedSize });
      await readEntry(zip, entry, { path, depth, budget });
    }
  } finally {
    zip.close();
  }
  spans.sort((span, otherSpan) => span.start - otherSpan.start);
  if (spans.some(({ end }, index) => end > (spans[index + 1]?.start ?? end)))
    throw archiveError("media_bomb");
}

/** A size of 0 in the header may mean that it follows the content, 0xffffffff that an extra field has it. */
function areHeadersEqual(entry: Entry, localHeader: LocalFileHeader): boolean {
  const isSameSize = (stated: number, size: number) =>
    stated === size ||
    stated === 0xffffffff ||
    (stated === 0 && (localHeader.generalPurposeBitFlag & 8) !== 0);
  return (
    localHeader.compressionMethod === entry.compressionMethod &&
    localHeader.fileName.equals(entry.fileNameRaw) &&
    isSameSize(localHeader.compressedSize, entry.compressedSize) &&
    isSameSize(localHeader.uncompressedSize, entry.uncompressedSize)
  );
}

interface ArchiveContext {
  path: string;
  depth: number;
  budget: Budget;
}

async function readEntry(zip: ZipFile, entry: Entry, context: ArchiveContext): Promise<void> {
  const { compressionMethod: method, uncompressedSize: size } = entry;
  const isReadable = !entry.isEncrypted() && (method === METHOD_STORED || method === METHOD_DEFLATED);
  if (!isReadable || size === 0 || size > context.budget.readBytes) return;
  context.budget.readBytes -= size;
  const copyPath = `${context.path}.in`;
  try {
    const kind = await readAndCopyArchive(await zip.openReadStreamPromise(entry), copyPath);
    if (kind === "zip")
      await measureArchiveLevel(copyPath, context.depth + 1, context.budget).catch(rethrowAppError);
    if (kind === "gzip") await measureGzip(copyPath, context.budget);
  } catch (error) {
    if (isAppError(error)) throw error;
    throw /too many bytes/.test(String(error)) ? archiveError("media_bomb") : damagedFileError("zip");
  } finally {
    await rm(copyPath, { force: true });
  }
}

/** Ignores damaged inner archives and data that only looks like one, because no reader can unpack them. */
function rethrowAppError(error: unknown): void {
  if (isAppError(error)) throw error;
}

async function readAndCopyArchive(content: Readable, copyPath: string): Promise<"zip" | "gzip" | undefined> {
  let kind: "zip" | "gzip" | undefined;
  let file: Awaited<ReturnType<typeof open>> | undefined;
  try {
    let isFirst = true;
    for await (const chunk of content as AsyncIterable<Buffer>) {
      if (isFirst) kind = detectArchiveKind(chunk);
      isFirst = false;
      if (kind) file ??= await open(copyPath, "wx", 0o600);
      await file?.writeFile(chunk);
    }
  } finally {
    await file?.close();
  }
  return kind;
}

function detectArchiveKind(start: Buffer): "zip" | "gzip" | undefined {
  if (start.toString("latin1", 0, 4) === "PK\x03\x04") return "zip";
  return start[0] === 0x1f && start[1] === 0x8b ? "gzip" : undefined;
}

async function measureGzip(path: string, budget: Budget): Promise<void> {
  const countBytes = async (content: AsyncIterable<Buffer>) => {
    for await (const { length } of content) {
      budget.unpackedBytes -= length;
      budget.readBytes -= length;
      if (budget.unpackedBytes < 0 || budget.readBytes < 0) return;
    }
  };
  // Ignore errors: damaged files count as far as they unpack, and an early return of `countBytes` is one.
  await pipeline(createReadStream(path), createGunzip(), countBytes).catch(() => {});
  if (budget.unpackedBytes < 0) throw archiveError("media_bomb");
}
