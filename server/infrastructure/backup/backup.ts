import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { rename, rm, stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { toOperatorError } from "@/server/core/operator-error";
import { storage } from "@/server/infrastructure/storage/storage";
import { dumpInstallation } from "./dump";
import { type BackupManifest, type BackupTotals, encodeEntry } from "./entries";
import { ArchiveError, sealStream } from "./sealed-file";

export interface BackupSummary extends Omit<BackupTotals, "rows" | "sequences"> {
  snapshotAt: string;
  tables: number;
  rows: number;
  backupBytes: number;
}

export function summariseBackup(totals: BackupTotals, manifest: BackupManifest, size: number): BackupSummary {
  const { files, bytes } = totals;
  const rows = Object.values(totals.rows).reduce((sum, count) => sum + count, 0);
  return { snapshotAt: manifest.at, tables: manifest.tables.length, rows, files, bytes, backupBytes: size };
}

/** Writes a consistent, encrypted backup while servers run. Throws {@link ArchiveError} if it exists. */
export async function backUp(url: string, path: string): Promise<BackupSummary> {
  await requireUnusedPath(path);
  const temporaryPath = `${path}.${process.pid}.part`;
  let result: { totals: BackupTotals; manifest: BackupManifest } | undefined;
  const content = dumpInstallation(url, dumpStoredFiles, (totals, manifest) => {
    result = { totals, manifest };
  });
  try {
    await pipeline(
      Readable.from(sealStream(content)),
      createWriteStream(temporaryPath, { mode: 0o600, flush: true }),
    );
    await rename(temporaryPath, path);
  } catch (error) {
    // Write errors have no path; errors with another path concern other files.
    const { path: failedPath = temporaryPath } = error as NodeJS.ErrnoException;
    throw failedPath === temporaryPath ? toOperatorError(error, path, "write") : error;
  } finally {
    await rm(temporaryPath, { force: true }).catch(() => {});
  }
  return summariseBackup(result!.totals, result!.manifest, (await stat(path)).size);
}

async function requireUnusedPath(path: string): Promise<void> {
  const existing = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw toOperatorError(error, path, "write");
  });
  if (existing?.isDirectory()) throw new ArchiveError(`${path} is a folder; name a file in it.`);
  if (existing) throw new ArchiveError(`${path} exists already; give another name.`);
}

async function* dumpStoredFiles(totals: BackupTotals): AsyncGenerator<Uint8Array> {
  for await (const { key } of storage().listAll()) {
    const content = await openContent(key);
    if (!content) continue;
    yield* encodeEntry({ kind: "file", key }, readCountingBytes(content, totals));
    totals.files++;
  }
}

/** Returns undefined for a deleted file: no row of the snapshot names it. */
async function openContent(key: string): Promise<Readable | undefined> {
  const file = await storage().read(key);
  if (!file || file.size === 0) return file && Readable.from([]);
  const content = file.open();
  try {
    await once(content, "readable");
    return content;
  } catch (error) {
    if (await storage().read(key)) throw error;
    return undefined;
  }
}

async function* readCountingBytes(content: Readable, totals: BackupTotals): AsyncGenerator<Uint8Array> {
  for await (const chunk of content) {
    totals.bytes += (chunk as Uint8Array).length;
    yield chunk as Uint8Array;
  }
}
