import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { createTestDatabase } from "../../testing/database";
import { awaitMigrations, migrateDatabase } from "./migrate";
import { writeMigration } from "./write-migration";

const url = await createTestDatabase();
let paths: { schemaDir: string; dir: string };

const BASE_SCHEMA = `generator client {
  provider = "prisma-client"
}

datasource db {
  provider = "postgresql"
}
`;

beforeEach(async () => {
  const temporaryDir = await mkdtemp(join(tmpdir(), "tellal-migrate-"));
  onTestFinished(() => rm(temporaryDir, { recursive: true, force: true }));
  paths = { schemaDir: join(temporaryDir, "schema"), dir: join(temporaryDir, "migrations") };
  await mkdir(paths.schemaDir);
  await writeFile(join(paths.schemaDir, "base.prisma"), BASE_SCHEMA);
  await query("DROP SCHEMA public CASCADE; CREATE SCHEMA public");
});

async function query(text: string, values?: unknown[]) {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text, values)).rows;
  } finally {
    await client.end();
  }
}

async function addMigration(name: string, sql: string) {
  await mkdir(join(paths.dir, name), { recursive: true });
  await writeFile(join(paths.dir, name, "migration.sql"), sql);
}

describe("writing migrations", () => {
  it("writes only the changes since the last migration, and none without changes", async () => {
    const writeModel = (fields: string) =>
      writeFile(join(paths.schemaDir, "a.prisma"), `model Shop {\n  id Int @id\n${fields}}\n`);
    await writeModel("");
    const migrationName = await writeMigration("First Shop", paths);
    expect(migrationName).toMatch(/^\d{14}_first_shop$/);
    expect(await readFile(join(paths.dir, migrationName!, "migration.sql"), "utf8")).toContain(
      'CREATE TABLE "Shop"',
    );
    expect(await writeMigration("again", paths)).toBeUndefined();
    await writeModel("  name String @unique\n");
    const sql = await readFile(
      join(paths.dir, (await writeMigration("z_name", paths))!, "migration.sql"),
      "utf8",
    );
    expect(sql).toContain('ADD COLUMN     "name" TEXT NOT NULL');
    expect(sql).not.toContain("CREATE TABLE");
    expect(await migrateDatabase(url, paths.dir)).toHaveLength(2);
    await addMigration("29990101000000_from_elsewhere", "SELECT 1;");
    await expect(writeMigration("later", paths)).rejects.toThrow(
      "the newest is 29990101000000_from_elsewhere",
    );
    expect(await query('SELECT * FROM "Shop"')).toEqual([]);
  });
});

describe("applying migrations", () => {
  it("applies each once and in order when two processes start together", async () => {
    await addMigration("20260101000000_a", "CREATE TABLE a (id int); SELECT pg_sleep(0.2);");
    await addMigration("20260102000000_b", "ALTER TABLE a ADD COLUMN name text;");
    const results = await Promise.all([migrateDatabase(url, paths.dir), migrateDatabase(url, paths.dir)]);
    expect(results.flat().sort()).toEqual(["20260101000000_a", "20260102000000_b"]);
    expect(await migrateDatabase(url, paths.dir)).toEqual([]);
  });

  it("lets other processes wait until all are applied", async () => {
    await addMigration("20260101000000_a", "CREATE TABLE a (id int);");
    await addMigration("20260102000000_b", "ALTER TABLE a ADD COLUMN name text;");
    const events: string[] = [];
    const waitingProcess = awaitMigrations(url, () => events.push("waits"), {
      dir: paths.dir,
      pauseMs: 10,
    }).then(async () => {
      // Compare the database's state: which of the two promises settles first is random.
      const appliedRows = await query("SELECT migration_name FROM _prisma_migrations ORDER BY 1");
      events.push(...appliedRows.map(({ migration_name }) => migration_name));
    });
    await expect.poll(() => events).toEqual(["waits"]);
    await migrateDatabase(url, paths.dir);
    await waitingProcess;
    expect(events).toEqual(["waits", "20260101000000_a", "20260102000000_b"]);
    await awaitMigrations(url, () => events.push("waits again"), { dir: paths.dir });
    expect(events).not.toContain("waits again");
  });

  it("rolls back a failed migration and reports the position", async () => {
    await addMigration("20260101000000_a", "CREATE TABLE a (id int);\nCREATE TABLE a (id int);\n");
    await expect(migrateDatabase(url, paths.dir)).rejects.toThrow(
      '20260101000000_a failed and changed nothing: relation "a"',
    );
    expect(await query("SELECT to_regclass('a') AS a, to_regclass('_prisma_migrations') AS m")).toEqual([
      { a: null, m: null },
    ]);
    await addMigration("20260101000000_a", "CREATE TABLE a (id int);");
    expect(await migrateDatabase(url, paths.dir)).toHaveLength(1);
  });

  it("waits for sessions that block it, and names them on timeout", async () => {
    await query("CREATE TABLE busy (id int)");
    await addMigration("20260101000000_a", "ALTER TABLE busy ADD COLUMN name text;");
    const lockHolder = new Client({ connectionString: url, application_name: "a forgotten console" });
    await lockHolder.connect();
    await lockHolder.query("BEGIN; SELECT * FROM busy");
    const rejectedMigration = migrateDatabase(url, paths.dir, { lockTimeoutMs: 0 });
    await expect(rejectedMigration).rejects.toThrow(
      /20260101000000_a waits for process \d+ \(a forgotten console, idle in/,
    );
    const waitingMigration = migrateDatabase(url, paths.dir);
    const waitingLocksQuery = "SELECT 1 FROM pg_locks WHERE relation = 'busy'::regclass AND NOT granted";
    await expect.poll(() => query(waitingLocksQuery), { timeout: 60_000 }).toHaveLength(1);
    await lockHolder.end();
    expect(await waitingMigration).toEqual(["20260101000000_a"]);
  });

  it("records migrations as Prisma does", async () => {
    await addMigration("20260101000000_a", 'CREATE TABLE "A" (id int primary key);');
    await migrateDatabase(url, paths.dir);
    const [row] = await query("SELECT * FROM _prisma_migrations");
    expect(row).toMatchObject({
      migration_name: "20260101000000_a",
      applied_steps_count: 1,
      logs: null,
      rolled_back_at: null,
    });
    // Computed by Prisma's schema engine 7.10.
    expect(row.checksum).toBe("95572ebf4dc09905787db1ac5054dc23a708d8c951d88039ca050f59f645f580");
  });

  it("rejects a database with a migration that another tool left unfinished", async () => {
    await addMigration("20260101000000_a", "SELECT 1;");
    await migrateDatabase(url, paths.dir);
    await query("UPDATE _prisma_migrations SET finished_at = NULL");
    await expect(migrateDatabase(url, paths.dir)).rejects.toThrow("did not finish");
  });
});
