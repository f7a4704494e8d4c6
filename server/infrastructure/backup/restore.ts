import { stat } from "node:fs/promises";
import { Readable } from "node:stream";
import type { Client } from "pg";
import { listMigrations, migrateDatabase } from "@/server/infrastructure/database/migrate";
import { migrateJobQueue } from "@/server/infrastructure/jobs/worker";
import { BACKED_UP_FOLDERS } from "@/server/infrastructure/storage/driver";
import { storage } from "@/server/infrastructure/storage/storage";
import { type BackupSummary, summariseBackup } from "./backup";
import { openLongConnection } from "./dump";
import { type BackupManifest, type BackupTotals, readEntries } from "./entries";
import {
  beginLoad,
  dropSchemaObjects,
  endLoad,
  loadRows,
  lockAndCreateSchema,
  requireEmptyDatabase,
} from "./load";
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
  const availableMigrations = await listMigrations();
  const missingMigration = manifest.migrations.find((name) => !availableMigrations.includes(name));
  if (missingMigration)
    throw new ArchiveError(
      `${path} is of a newer release, which has the migration ${missingMigration}: restore it with that one. Nothing was changed.`,
    );
  return { path, manifest, totals };
}

export async function requireNoStoredFiles(): Promise<void> {
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
  await requireNoStoredFiles();
  const client = await openLongConnection(url);
  try {
    await requireEmptyDatabase(client);
    await migrateJobQueue();
    await lockAndCreateSchema(client, manifest);
    await loadContent(client, { path, manifest, totals }).catch(async (error) => {
      await client.query("ROLLBACK");
      await dropSchemaObjects(client);
      for await (const { key } of storage().listAll()) await storage().remove(key);
      throw error;
    });
    await client.query("ANALYZE");
  } finally {
    await client.end();
  }
  await migrateDatabase(url);
  return summariseBackup(totals, manifest, (await stat(path)).size);
}

/** Loads all rows in one transaction, and all files before its commit. */
async function loadContent(client: Client, { path, manifest }: CheckedBackup): Promise<void> {
  const suspendedConstraints = await beginLoad(client, manifest);
  const loadedRowCounts: BackupTotals["rows"] = {};
  let loadedFileCount = 0;
  for await (const { head, content } of readEntries(openSealedFile(path))) {
    if (head.kind === "table")
      loadedRowCounts[head.name] = await loadRows(client, manifest, head.name, content);
    if (head.kind === "file") {
      await storage().write(head.key, Readable.from(content, { objectMode: false }));
      loadedFileCount++;
    }
    if (head.kind !== "end") continue;
    const mismatchedTable = Object.keys(head.rows).find((name) => head.rows[name] !== loadedRowCounts[name]);
    if (mismatchedTable || loadedFileCount !== head.files)
      throw new ArchiveError(`${mismatchedTable ?? "The number of files"} is not what was backed up.`);
    await endLoad(client, suspendedConstraints, head);
  }
  await client.query("COMMIT");
}
