import { createHash, randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { Client } from "pg";
import { log } from "../../core/log";

/** A migration could not be applied; the database is as it was before it. */
class MigrationError extends Error {
  override name = "MigrationError";
}

/** Where `npm run db:migration` writes; every command of this project runs in the project's directory. */
export const MIGRATIONS = resolve("prisma/migrations");

/** An arbitrary advisory lock number that no other application on the same database uses. */
const LOCK = 7_355_261_803;

/** Prisma's own table, so that `prisma migrate deploy` and `status` work on the same database. */
const TABLE = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id VARCHAR(36) PRIMARY KEY NOT NULL,
  checksum VARCHAR(64) NOT NULL,
  finished_at TIMESTAMPTZ,
  migration_name VARCHAR(255) NOT NULL,
  logs TEXT,
  rolled_back_at TIMESTAMPTZ,
  started_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  applied_steps_count INTEGER NOT NULL DEFAULT 0
)`;

interface Migration {
  name: string;
  sql: string;
  checksum: string;
}

/**
 * Brings a database to the newest migration and returns the names of those applied now.
 *
 * Prisma's engine writes "started", runs the script, and writes "finished" in three transactions: a kill in between
 * leaves a database that refuses every later start. Here the script and its row are one transaction, under a lock
 * that is part of it: all or nothing, even when two processes start at once.
 */
export async function migrate(databaseUrl: string, dir = MIGRATIONS): Promise<string[]> {
  const migrations = await readMigrations(dir);
  const client = new Client({ connectionString: databaseUrl, application_name: "tellal-migrate" });
  await client.connect();
  try {
    const applied = await appliedMigrations(client);
    warnOfEdits(migrations, applied);
    const done: string[] = [];
    for (const migration of migrations) {
      if (!applied.has(migration.name) && (await apply(client, migration))) done.push(migration.name);
    }
    return done;
  } finally {
    await client.end();
  }
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

/** Returns name and checksum of the applied migrations; throws when Prisma's own command left one half done. */
async function appliedMigrations(client: Client): Promise<Map<string, string>> {
  const { rows: found } = await client.query("SELECT to_regclass('_prisma_migrations') AS name");
  if (!found[0].name) return new Map();
  const { rows } = await client.query<{ migration_name: string; checksum: string; finished_at: Date | null }>(
    "SELECT migration_name, checksum, finished_at FROM _prisma_migrations WHERE rolled_back_at IS NULL",
  );
  const failed = rows.find((row) => !row.finished_at);
  if (failed) {
    throw new MigrationError(
      `Migration ${failed.migration_name} was started by another tool and did not finish; ` +
        "look at the database, then mark it with prisma migrate resolve.",
    );
  }
  return new Map(rows.map((row) => [row.migration_name, row.checksum]));
}

function warnOfEdits(migrations: Migration[], applied: Map<string, string>): void {
  for (const { name, checksum } of migrations) {
    const known = applied.get(name);
    if (known && known !== checksum) log.warn({ migration: name }, "database: changed after it was applied");
  }
}

/** Returns false when another process applied it while we waited for the lock. */
async function apply(client: Client, { name, sql, checksum }: Migration): Promise<boolean> {
  try {
    await client.query("BEGIN");
    await client.query("SELECT pg_advisory_xact_lock($1)", [LOCK]);
    await client.query(TABLE);
    const known = await client.query(
      "SELECT 1 FROM _prisma_migrations WHERE migration_name = $1 AND rolled_back_at IS NULL",
      [name],
    );
    if (!known.rowCount) {
      // now() is the start of the transaction; the script may have taken minutes.
      await client.query(sql);
      await client.query(
        `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
         VALUES ($1, $2, $3, clock_timestamp(), 1)`,
        [randomUUID(), checksum, name],
      );
    }
    await client.query("COMMIT");
    return !known.rowCount;
  } catch (error) {
    await client.query("ROLLBACK").catch(() => {});
    const { message, position } = error as { message: string; position?: string };
    const line = position ? ` (line ${sql.slice(0, Number(position)).split("\n").length})` : "";
    throw new MigrationError(`Migration ${name} failed and changed nothing: ${message}${line}`, {
      cause: error,
    });
  }
}
