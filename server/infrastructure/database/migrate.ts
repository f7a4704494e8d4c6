import { createHash, randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { log } from "../../core/log";
import { SECOND } from "../../core/time";
import { ADVISORY_LOCKS } from "./advisory-locks";
import { requireMigratableDatabase } from "./preflight";

class MigrationError extends Error {
  override name = "MigrationError";
}

/** Relative to the project's directory, in which all commands run. */
export const MIGRATIONS_DIR = resolve("prisma/migrations");

/** Prisma's table, so that `prisma migrate deploy` and `status` work on the same database. */
const CREATE_MIGRATIONS_TABLE = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id VARCHAR(36) PRIMARY KEY NOT NULL,
  checksum VARCHAR(64) NOT NULL,
  finished_at TIMESTAMPTZ,
  migration_name VARCHAR(255) NOT NULL,
  logs TEXT,
  rolled_back_at TIMESTAMPTZ,
  started_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  applied_steps_count INTEGER NOT NULL DEFAULT 0
)`;

// A migration that waits for a table lock blocks all later queries on the table: wait briefly and retry.
const LOCK_WAIT_MS = 3 * SECOND;
const LOCK_RETRY_PAUSE_MS = SECOND;
const LOCK_TIMEOUT_MS = 60 * SECOND;

interface Migration {
  name: string;
  sql: string;
  checksum: string;
}

/** Applies pending migrations and returns their names. Script and record are one transaction under a lock. */
export async function migrateDatabase(
  databaseUrl: string,
  dir = MIGRATIONS_DIR,
  { lockTimeoutMs = LOCK_TIMEOUT_MS } = {},
): Promise<string[]> {
  const migrations = await readMigrations(dir);
  const client = new Client({ connectionString: databaseUrl, application_name: "tellal-migrate" });
  await client.connect();
  try {
    const appliedChecksums = await readAppliedChecksums(client);
    warnOfEditedMigrations(migrations, appliedChecksums);
    const appliedNames: string[] = [];
    const pendingMigrations = migrations.filter(({ name }) => !appliedChecksums.has(name));
    if (pendingMigrations.length > 0) await requireMigratableDatabase(client, pendingMigrations);
    for (const migration of pendingMigrations) {
      if (await applyWithRetries(client, databaseUrl, migration, lockTimeoutMs))
        appliedNames.push(migration.name);
    }
    return appliedNames;
  } finally {
    await client.end();
  }
}

/** Waits until another process has applied all migrations; calls `onWait` once if some are pending. */
export async function awaitMigrations(
  databaseUrl: string,
  onWait: () => void,
  { dir = MIGRATIONS_DIR, pauseMs = SECOND } = {},
): Promise<void> {
  const migrations = await readMigrations(dir);
  const client = new Client({ connectionString: databaseUrl, application_name: "tellal-migrate" });
  await client.connect();
  try {
    for (let isFirst = true; ; isFirst = false) {
      const appliedChecksums = await readAppliedChecksums(client);
      const pendingMigrations = migrations.filter(({ name }) => !appliedChecksums.has(name));
      if (pendingMigrations.length === 0) return;
      if (isFirst) {
        await requireMigratableDatabase(client, pendingMigrations, { checksPrivileges: false });
        onWait();
      }
      await sleep(pauseMs);
    }
  } finally {
    await client.end();
  }
}

/** Creates the named migrations' schema, one transaction each: new enum values are usable after a commit. */
export async function rebuildSchema(client: Client, migrationNames: readonly string[], dir = MIGRATIONS_DIR) {
  const sqlByName = new Map((await readMigrations(dir)).map(({ name, sql }) => [name, sql]));
  await client.query(CREATE_MIGRATIONS_TABLE);
  for (const name of [...migrationNames].sort()) {
    const sql = sqlByName.get(name);
    if (sql === undefined)
      throw new MigrationError(
        `The migration ${name} is not of this release: use the one that has it, or a newer one.`,
      );
    await client.query(sql);
  }
}

export async function listMigrations(dir = MIGRATIONS_DIR): Promise<string[]> {
  return (await readMigrations(dir)).map(({ name }) => name);
}

async function readMigrations(dir: string): Promise<Migration[]> {
  const entries = await readdir(dir, { withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names.sort().map(async (name) => {
      const sql = await readFile(join(dir, name, "migration.sql"), "utf8");
      return { name, sql, checksum: createHash("sha256").update(sql).digest("hex") };
    }),
  );
}

/** Returns checksums of the applied migrations by name. Throws if Prisma's command left one unfinished. */
async function readAppliedChecksums(client: Client): Promise<Map<string, string>> {
  const { rows: tables } = await client.query("SELECT to_regclass('_prisma_migrations') AS name");
  if (!tables[0].name) return new Map();
  const { rows } = await client.query<{ migration_name: string; checksum: string; finished_at: Date | null }>(
    "SELECT migration_name, checksum, finished_at FROM _prisma_migrations WHERE rolled_back_at IS NULL",
  );
  const unfinishedMigration = rows.find((row) => !row.finished_at);
  if (unfinishedMigration) {
    throw new MigrationError(
      `Migration ${unfinishedMigration.migration_name} was started by another tool and did not finish; ` +
        "look at the database, then mark it with prisma migrate resolve.",
    );
  }
  return new Map(rows.map((row) => [row.migration_name, row.checksum]));
}

function warnOfEditedMigrations(migrations: Migration[], appliedChecksums: Map<string, string>): void {
  for (const { name, checksum } of migrations) {
    const recordedChecksum = appliedChecksums.get(name);
    if (recordedChecksum && recordedChecksum !== checksum)
      log.warn({ migration: name }, "database: changed after it was applied");
  }
}

async function applyWithRetries(
  client: Client,
  databaseUrl: string,
  migration: Migration,
  lockTimeoutMs: number,
): Promise<boolean> {
  const deadline = performance.now() + lockTimeoutMs;
  for (;;) {
    const stopWatching = watchBlockers(client, databaseUrl);
    try {
      return await applyMigration(client, migration);
    } catch (error) {
      if ((error as MigrationError & { cause?: { code?: string } }).cause?.code !== "55P03") throw error;
      const blockerNames = (await stopWatching()) ?? "another session";
      const reason = `Migration ${migration.name} waits for ${blockerNames}, which uses what it changes`;
      if (performance.now() > deadline)
        throw new MigrationError(`${reason}; end that, and start again. Nothing was changed.`, {
          cause: error,
        });
      log.warn({ event: "migration.waits", migration: migration.name, reason });
      await sleep(LOCK_RETRY_PAUSE_MS);
    } finally {
      await stopWatching();
    }
  }
}

/** Watches for sessions that block a migration; the returned function stops and returns them. */
function watchBlockers(client: Client, databaseUrl: string): () => Promise<string | undefined> {
  const pid = (client as unknown as { processID: number }).processID;
  const abortController = new AbortController();
  let blockerNames: string | undefined;
  const pollBlockers = async () => {
    const watcher = new Client({ connectionString: databaseUrl, application_name: "tellal-migrate" });
    watcher.on("error", () => {});
    try {
      await sleep(LOCK_WAIT_MS / 3, undefined, { signal: abortController.signal });
      await watcher.connect();
      while (!abortController.signal.aborted) {
        const { rows } = await watcher.query(BLOCKERS_QUERY, [pid]);
        blockerNames = rows[0].who ?? blockerNames;
        await sleep(LOCK_WAIT_MS / 6, undefined, { signal: abortController.signal });
      }
    } catch {
      // Stopped, or no connection available: the message then names no session.
    } finally {
      await watcher.end().catch(() => {});
    }
  };
  const watchPromise = pollBlockers();
  return async () => {
    abortController.abort();
    await watchPromise;
    return blockerNames;
  };
}

const BLOCKERS_QUERY = `
  SELECT string_agg(format('process %s (%s, %s since %s)', pid, coalesce(nullif(application_name, ''), 'unnamed'),
                           state, to_char(xact_start, 'HH24:MI:SS')), ', ') AS who
    FROM pg_stat_activity WHERE pid = ANY (pg_blocking_pids($1))`;

/** Returns false if another process applied it while this one waited for the lock. */
async function applyMigration(client: Client, { name, sql, checksum }: Migration): Promise<boolean> {
  try {
    await client.query("BEGIN");
    // The role may have a timeout for requests; migrations may take longer.
    await client.query("SET LOCAL statement_timeout = 0");
    await client.query("SELECT pg_advisory_xact_lock($1)", [ADVISORY_LOCKS.migrations]);
    await client.query(CREATE_MIGRATIONS_TABLE);
    // After the advisory lock: the wait for another migrating process is unlimited.
    await client.query(`SET LOCAL lock_timeout = ${LOCK_WAIT_MS}`);
    const recordedRows = await client.query(
      "SELECT 1 FROM _prisma_migrations WHERE migration_name = $1 AND rolled_back_at IS NULL",
      [name],
    );
    if (!recordedRows.rowCount) {
      await client.query(sql);
      await client.query(
        `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
         VALUES ($1, $2, $3, clock_timestamp(), 1)`,
        [randomUUID(), checksum, name],
      );
    }
    await client.query("COMMIT");
    return !recordedRows.rowCount;
  } catch (error) {
    await client.query("ROLLBACK").catch(() => {});
    const { message, position } = error as { message: string; position?: string };
    const line = position ? ` (line ${sql.slice(0, Number(position)).split("\n").length})` : "";
    throw new MigrationError(`Migration ${name} failed and changed nothing: ${message}${line}`, {
      cause: error,
    });
  }
}
