import { stat } from "node:fs/promises";
import { Readable } from "node:stream";
import type { Client } from "pg";
import { listMigrations, migrate } from "@/server/infrastructure/database/migrate";
import { migrateJobs } from "@/server/infrastructure/jobs/worker";
import { BACKED_UP_FOLDERS } from "@/server/infrastructure/storage/driver";
import { storage } from "@/server/infrastructure/storage/storage";
import { type BackupSummary, summariseBackup } from "./backup";
import { openLongConnection } from "./dump";
import { type BackupManifest, type BackupTotals, readEntries } from "./entries";
import { beginLoad, createTables, dropAll, endLoad, loadRows, requireEmpty } from "./load";
import { ArchiveError, openSealedFile } from "./sealed-file";

export interface CheckedBackup {
  path: string;
  manifest: BackupManifest;
  totals: BackupTotals;
}

/** Reads and verifies a whole backup. Throws {@link ArchiveError}. */
export async function checkBackup(path: string): Promise<CheckedBackup> {
  let manifest: BackupManifest | undefined;
  let totals: BackupTotals | undefined;
  for await (const { head } of readEntries(openSealedFile(path))) {
    if (head.kind === "manifest") manifest = head;
    if (head.kind === "end") totals = head;
  }
  if (!manifest || !totals) throw new ArchiveError(`${path} is not complete.`);
  const available = await listMigrations();
  const missing = manifest.migrations.find((name) => !available.includes(name));
  if (missing)
    throw new ArchiveError(
      `${path} is of a newer release, which has the migration ${missing}: restore it with that one. Nothing was changed.`,
    );
  return { path, manifest, totals };
}

export async function requireNoFiles(): Promise<void> {
  for await (const { key } of storage().listAll())
    throw new ArchiveError(
      `There are stored files already, such as ${key}. Restore into an empty folder or bucket: ${BACKED_UP_FOLDERS.join(", ")} must hold none. Nothing was changed.`,
    );
}

/** Restores into an empty database and storage; an error leaves both empty. Call `openDatabase` first. */
export async function restoreBackup(
  url: string,
  { path, manifest, totals }: CheckedBackup,
): Promise<BackupSummary> {
  await requireNoFiles();
  const client = await openLongConnection(url);
  try {
    await requireEmpty(client);
    await migrateJobs();
    await createTables(client, manifest);
    await loadContent(client, { path, manifest, totals }).catch(async (error) => {
      await client.query("ROLLBACK");
      await dropAll(client);
      for await (const { key } of storage().listAll()) await storage().remove(key);
      throw error;
    });
    await client.query("ANALYZE");
  } finally {
    await client.end();
  }
  await migrate(url);
  return summariseBackup(totals, manifest, (await stat(path)).size);
}

/** Loads all rows in one transaction, and all files before its commit. */
async function loadContent(client: Client, { path, manifest }: CheckedBackup): Promise<void> {
  const suspended = await beginLoad(client, manifest);
  const rows: BackupTotals["rows"] = {};
  let files = 0;
  for await (const { head, content } of readEntries(openSealedFile(path))) {
    if (head.kind === "table") rows[head.name] = await loadRows(client, manifest, head.name, content);
    if (head.kind === "file") {
      await storage().write(head.key, Readable.from(content, { objectMode: false }));
      files++;
    }
    if (head.kind !== "end") continue;
    const mismatch = Object.keys(head.rows).find((name) => head.rows[name] !== rows[name]);
    if (mismatch || files !== head.files)
      throw new ArchiveError(`${mismatch ?? "The number of files"} is not what was backed up.`);
    await endLoad(client, suspended, head);
  }
  await client.query("COMMIT");
}
