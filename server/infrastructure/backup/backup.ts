import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { rename, rm, stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { pathError } from "@/server/core/operator-error";
import { storage } from "@/server/infrastructure/storage/storage";
import { dump } from "./dump";
import { entry, type Manifest, type Totals } from "./entries";
import { ArchiveError, sealed } from "./sealed";

/** What a backup has taken, or a restore has put in place. */
export interface Summary extends Omit<Totals, "rows" | "sequences"> {
  at: string;
  tables: number;
  rows: number;
  /** Bytes of the backup itself. */
  size: number;
}

export function summaryOf(totals: Totals, manifest: Manifest, size: number): Summary {
  const { files, bytes } = totals;
  const rows = Object.values(totals.rows).reduce((sum, each) => sum + each, 0);
  return { at: manifest.at, tables: manifest.tables.length, rows, files, bytes, size };
}

/**
 * Writes database and files as of one moment into a new file, sealed under APP_SECRET, while servers go on. The file has
 * its name once it is complete. Throws {@link ArchiveError} when there is one already.
 */
export async function backUp(url: string, path: string): Promise<Summary> {
  await requireFree(path);
  const part = `${path}.${process.pid}.part`;
  let done: { totals: Totals; manifest: Manifest } | undefined;
  const content = dump(url, storedFiles, (totals, manifest) => {
    done = { totals, manifest };
  });
  try {
    await pipeline(Readable.from(sealed(content)), createWriteStream(part, { mode: 0o600, flush: true }));
    await rename(part, path);
  } catch (error) {
    // Errors of writing have no path; those of other files and of the database are not about this one.
    const { path: failed = part } = error as NodeJS.ErrnoException;
    throw failed === part ? pathError(error, path, "write") : error;
  } finally {
    await rm(part, { force: true }).catch(() => {});
  }
  return summaryOf(done!.totals, done!.manifest, (await stat(path)).size);
}

async function requireFree(path: string): Promise<void> {
  const there = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw pathError(error, path, "write");
  });
  if (there?.isDirectory()) throw new ArchiveError(`${path} is a folder; name a file in it.`);
  if (there) throw new ArchiveError(`${path} exists already; give another name.`);
}

async function* storedFiles(totals: Totals): AsyncGenerator<Uint8Array> {
  for await (const { key } of storage().all()) {
    const content = await contentOf(key);
    if (!content) continue;
    yield* entry({ kind: "file", key }, counted(content, totals));
    totals.files++;
  }
}

/** Undefined when the file is gone: no row named it, for such a file stays while a backup is made. */
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
