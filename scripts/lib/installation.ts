import { statSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";
import { env } from "@/server/core/env";
import { OperatorError, toOperatorError } from "@/server/core/operator-error";
import { lockDataDirectory } from "@/server/infrastructure/data-directory-lock";
import { findEmbeddedPostgres, startEmbeddedPostgres } from "@/server/infrastructure/database/embedded";
import { waitForDatabase } from "@/server/infrastructure/database/wait-for-database";

interface DatabaseUrls {
  url: string;
  adminUrl: string;
}

/** Runs a task on the embedded database, which is created if missing. Throws while a server uses it. */
export async function withEmbeddedDatabase<T>(task: (urls: DatabaseUrls) => Promise<T>): Promise<T> {
  const unlock = await lockDataDirectory(env().DATA_DIR);
  const database = await startEmbeddedPostgres({ dataDir: env().DATA_DIR });
  try {
    return await task(database);
  } finally {
    await database.stop();
    unlock();
  }
}

/** Returns the URL of the configured database. Bypasses a pooler: commands hold locks and snapshots. */
export async function getConfiguredDatabaseUrl(): Promise<string | undefined> {
  const { DATABASE_DIRECT_URL, DATABASE_URL } = env();
  const url = DATABASE_DIRECT_URL ?? DATABASE_URL;
  const name = DATABASE_DIRECT_URL ? "DATABASE_DIRECT_URL" : "DATABASE_URL";
  if (url) await waitForDatabase(url, { timeout: 0, settingName: name });
  return url;
}

/** Runs a task on the configured database, also while servers use it. */
export async function withDatabase<T>(task: (url: string) => Promise<T>): Promise<T> {
  const configuredUrl = await getConfiguredDatabaseUrl();
  if (configuredUrl) return task(configuredUrl);
  try {
    return await withEmbeddedDatabase(({ url }) => task(url));
  } catch (error) {
    if ((error as Error).name !== "DataDirectoryInUseError") throw error;
    const runningDatabase = await findEmbeddedPostgres(env().DATA_DIR);
    if (!runningDatabase) throw error;
    return task(runningDatabase.url);
  }
}

export async function withInstallation<T>(task: (url: string) => Promise<T>): Promise<T> {
  requireInstallation();
  return withDatabase(async (url) => {
    await requireTables(url);
    return task(url);
  });
}

export function requireInstallation(): void {
  requireDatabase();
  requireSecret("the servers");
}

export function requireDatabase(): void {
  const { DATABASE_URL, DATA_DIR } = env();
  if (!DATABASE_URL && !exists(join(DATA_DIR, "postgres/PG_VERSION"))) throw createMissingDataError();
}

/** Throws an OperatorError if the folder of files does not exist: a backup would lack them. */
export function requireDataDirectory(): void {
  const { s3, DATA_DIR } = env();
  if (!s3 && !exists(DATA_DIR)) throw createMissingDataError();
}

function createMissingDataError(): OperatorError {
  return new OperatorError(`Nothing is here yet: DATA_DIR is ${env().DATA_DIR}; is it that of the servers?`);
}

/** Throws an OperatorError instead of creating a new secret, which decrypts nothing. */
export function requireSecret(owner: string): void {
  const { APP_SECRET, DATA_DIR } = env();
  const secretPath = join(DATA_DIR, "app.secret");
  if (!APP_SECRET && !exists(secretPath))
    throw new OperatorError(
      `Set APP_SECRET to that of ${owner}, or put its file app.secret at ${secretPath}.`,
    );
}

export async function requireTables(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query("SELECT to_regclass('app_secrets') AS name");
    if (rows[0].name) return;
    throw new OperatorError(
      `The database ${client.database} has no tables of Tellal; is it that of the servers, and has one been started?`,
    );
  } finally {
    await client.end();
  }
}

function exists(path: string): boolean {
  try {
    return Boolean(statSync(path));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return false;
    throw toOperatorError(error, path, "read");
  }
}
