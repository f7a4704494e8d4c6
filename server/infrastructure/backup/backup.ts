import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { rename, rm, stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { pathError } from "@/server/core/operator-error";
import { storage } from "@/server/infrastructure/storage/storage";
import { dump } from "./dump";
import { entry, type Manifest, type Totals } from "./entries";
import { ArchiveError, sealStream } from "./sealed";

export interface Summary extends Omit<Totals, "rows" | "sequences"> {
  at: string;
  tables: number;
  rows: number;
  /** Size of the backup file in bytes. */
  size: number;
}

export function summaryOf(totals: Totals, manifest: Manifest, size: number): Summary {
  const { files, bytes } = totals;
  const rows = Object.values(totals.rows).reduce((sum, each) => sum + each, 0);
  return { at: manifest.at, tables: manifest.tables.length, rows, files, bytes, size };
}

/** Writes a consistent, encrypted backup while servers run. Throws {@link ArchiveError} if it exists. */
export async function backUp(url: string, path: string): Promise<Summary> {
  await requireFree(path);
  const part = `${path}.${process.pid}.part`;
  let done: { totals: Totals; manifest: Manifest } | undefined;
  const content = dump(url, storedFiles, (totals, manifest) => {
    done = { totals, manifest };
  });
  try {
    await pipeline(Readable.from(sealStream(content)), createWriteStream(part, { mode: 0o600, flush: true }));
    await rename(part, path);
  } catch (error) {
    // Write errors have no path; errors with another path concern other files.
    const { path: failed = part } = error as NodeJS.ErrnoException;
    throw failed === part ? pathError(error, path, "write") : error;
  } finally {
    await rm(part, { force: true }).catch(() => {});
  }
  return summaryOf(done!.totals, done!.manifest, (await stat(path)).size);
}

async function requireFree(path: string): Promise<void> {
  const existing = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw pathError(error, path, "write");
  });
  if (existing?.isDirectory()) throw new ArchiveError(`${path} is a folder; name a file in it.`);
  if (existing) throw new ArchiveError(`${path} exists already; give another name.`);
}

async function* storedFiles(totals: Totals): AsyncGenerator<Uint8Array> {
  for await (const { key } of storage().all()) {
    const content = await contentOf(key);
    if (!content) continue;
    yield* entry({ kind: "file", key }, counted(content, totals));
    totals.files++;
  }
}

/** Undefined for a deleted file, which no row of the snapshot refers to. */
async function contentOf(key: string): Promise<Readable | undefined> {
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

async function* counted(content: Readable, totals: Totals): AsyncGenerator<Uint8Array> {
  for await (const chunk of content) {
    totals.bytes += (chunk as Uint8Array).length;
    yield chunk as Uint8Array;
  }
}
