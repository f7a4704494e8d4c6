import { createReadStream } from "node:fs";
import { open, rm } from "node:fs/promises";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import type { Entry, LocalFileHeader, ZipFile } from "yauzl";
import { isAppError } from "@/server/core/errors";
import { limitConcurrency } from "@/server/infrastructure/concurrency";
import { damagedFile } from "./judge-bytes";
import { archiveError, openArchive } from "./open-archive";

const DEPTH_MAX = 4;
const ENTRIES_MAX = 100_000;
/** Maximum bytes to unpack for the comparison: it must take seconds, not minutes. */
const READ_MAX = 1024 ** 3;
const STORED = 0;
const DEFLATED = 8;

interface Budget {
  unpacked: number;
  read: number;
  entries: number;
}

/** A measurement uses one thread of the pool; run one at a time. */
const oneByOne = limitConcurrency({ running: 1, waiting: 200 });

/**
 * Unpacks an archive, including nested ones. Throws `validation` if an entry is larger than stated, overlaps
 * another, or all contain more than `max` bytes.
 */
export function measureArchive(path: string, max: number): Promise<void> {
  return oneByOne(() => measure(path, 0, { unpacked: max, read: READ_MAX, entries: ENTRIES_MAX }));
}

async function measure(path: string, depth: number, budget: Budget): Promise<void> {
  if (depth > DEPTH_MAX) throw archiveError("media_bomb");
  const zip = await openArchive(path);
  const spans: Array<{ start: number; end: number }> = [];
  try {
    for await (const entry of zip.eachEntry()) {
      budget.unpacked -= entry.uncompressedSize;
      if (--budget.entries < 0 || budget.unpacked < 0) throw archiveError("media_bomb");
      const local = await zip.readLocalFileHeaderPromise(entry);
      if (!headersAgree(entry, local)) throw damagedFile("zip");
      const start = entry.relativeOffsetOfLocalHeader;
      spans.push({ start, end: local.fileDataStart + entry.compressedSize });
      await readEntry(zip, entry, { path, depth, budget });
    }
  } finally {
    zip.close();
  }
  spans.sort((one, other) => one.start - other.start);
  if (spans.some(({ end }, at) => end > (spans[at + 1]?.start ?? end))) throw archiveError("media_bomb");
}

/** Size 0 means it follows the content, 0xffffffff that an extra field has it. */
function headersAgree(entry: Entry, local: LocalFileHeader): boolean {
  const isSame = (stated: number, size: number) =>
    stated === size || stated === 0xffffffff || (stated === 0 && (local.generalPurposeBitFlag & 8) !== 0);
  return (
    local.compressionMethod === entry.compressionMethod &&
    local.fileName.equals(entry.fileNameRaw) &&
    isSame(local.compressedSize, entry.compressedSize) &&
    isSame(local.uncompressedSize, entry.uncompressedSize)
  );
}

interface ArchiveContext {
  path: string;
  depth: number;
  budget: Budget;
}

async function readEntry(zip: ZipFile, entry: Entry, context: ArchiveContext): Promise<void> {
  const { compressionMethod: method, uncompressedSize: size } = entry;
  const isReadable = !entry.isEncrypted() && (method === STORED || method === DEFLATED);
  if (!isReadable || size === 0 || size > context.budget.read) return;
  context.budget.read -= size;
  const copy = `${context.path}.in`;
  try {
    const kind = await readContent(await zip.openReadStreamPromise(entry), copy);
    if (kind === "zip") await measure(copy, context.depth + 1, context.budget).catch(unlessRefused);
    if (kind === "gzip") await measureGzip(copy, context.budget);
  } catch (error) {
    if (isAppError(error)) throw error;
    throw /too many bytes/.test(String(error)) ? archiveError("media_bomb") : damagedFile("zip");
  } finally {
    await rm(copy, { force: true });
  }
}

/** Ignores damaged archives and files that only look like one: they cannot be unpacked. */
function unlessRefused(error: unknown): void {
  if (isAppError(error)) throw error;
}

async function readContent(content: Readable, copy: string): Promise<"zip" | "gzip" | undefined> {
  let kind: "zip" | "gzip" | undefined;
  let file: Awaited<ReturnType<typeof open>> | undefined;
  try {
    let isFirst = true;
    for await (const chunk of content as AsyncIterable<Buffer>) {
      if (isFirst) kind = kindOf(chunk);
      isFirst = false;
      if (kind) file ??= await open(copy, "wx", 0o600);
      await file?.writeFile(chunk);
    }
  } finally {
    await file?.close();
  }
  return kind;
}

function kindOf(start: Buffer): "zip" | "gzip" | undefined {
  if (start.toString("latin1", 0, 4) === "PK\x03\x04") return "zip";
  return start[0] === 0x1f && start[1] === 0x8b ? "gzip" : undefined;
}

/** GZIP states its size only after the content. */
async function measureGzip(path: string, budget: Budget): Promise<void> {
  const counted = async (content: AsyncIterable<Buffer>) => {
    for await (const { length } of content) {
      budget.unpacked -= length;
      budget.read -= length;
      if (budget.unpacked < 0 || budget.read < 0) return;
    }
  };
  // Damaged files are unpacked as far as possible; our early return also raises an error.
  await pipeline(createReadStream(path), createGunzip(), counted).catch(() => {});
  if (budget.unpacked < 0) throw archiveError("media_bomb");
}
