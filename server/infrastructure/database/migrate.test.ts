import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { testDatabase } from "../../testing/database";
import { awaitMigrations, migrate } from "./migrate";
import { writeMigration } from "./write-migration";

const url = await testDatabase();
let place: { schemaDir: string; dir: string };

const BASE = `generator client {
  provider = "prisma-client"
}

datasource db {
  provider = "postgresql"
}
`;

beforeEach(async () => {
  const temporary = await mkdtemp(join(tmpdir(), "tellal-migrate-"));
  onTestFinished(() => rm(temporary, { recursive: true, force: true }));
  place = { schemaDir: join(temporary, "schema"), dir: join(temporary, "migrations") };
  await mkdir(place.schemaDir);
  await writeFile(join(place.schemaDir, "base.prisma"), BASE);
  await run("DROP SCHEMA public CASCADE; CREATE SCHEMA public");
});

async function run(text: string, values?: unknown[]) {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text, values)).rows;
  } finally {
    await client.end();
  }
}

async function addMigration(name: string, sql: string) {
  await mkdir(join(place.dir, name), { recursive: true });
  await writeFile(join(place.dir, name, "migration.sql"), sql);
}

describe("writing migrations", () => {
  it("writes only the changes since the last migration, and none without changes", async () => {
    const models = (fields: string) =>
      writeFile(join(place.schemaDir, "a.prisma"), `model Shop {\n  id Int @id\n${fields}}\n`);
    await models("");
    const first = await writeMigration("First Shop", place);
    expect(first).toMatch(/^\d{14}_first_shop$/);
    expect(await readFile(join(place.dir, first!, "migration.sql"), "utf8")).toContain('CREATE TABLE "Shop"');
    expect(await writeMigration("again", place)).toBeUndefined();
    await models("  name String @unique\n");
    const sql = await readFile(
      join(place.dir, (await writeMigration("z_name", place))!, "migration.sql"),
      "utf8",
    );
    expect(sql).toContain('ADD COLUMN     "name" TEXT NOT NULL');
    expect(sql).not.toContain("CREATE TABLE");
    expect(await migrate(url, place.dir)).toHaveLength(2);
    await addMigration("29990101000000_from_elsewhere", "SELECT 1;");
    await expect(writeMigration("later", place)).rejects.toThrow(
      "the newest is 29990101000000_from_elsewhere",
    );
    expect(await run('SELECT * FROM "Shop"')).toEqual([]);
  });
});

describe("applying migrations", () => {
  it("applies each once and in order when two processes start together", async () => {
    await addMigration("20260101000000_a", "CREATE TABLE a (id int); SELECT pg_sleep(0.2);");
    await addMigration("20260102000000_b", "ALTER TABLE a ADD COLUMN name text;");
    const both = await Promise.all([migrate(url, place.dir), migrate(url, place.dir)]);
    expect(both.flat().sort()).toEqual(["20260101000000_a", "20260102000000_b"]);
    expect(await migrate(url, place.dir)).toEqual([]);
  });

  it("lets other processes wait until all are applied", async () => {
    await addMigration("20260101000000_a", "CREATE TABLE a (id int);");
    await addMigration("20260102000000_b", "ALTER TABLE a ADD COLUMN name text;");
    const events: string[] = [];
    const waiting = awaitMigrations(url, () => events.push("waits"), { dir: place.dir, pause: 10 }).then(
      async () => {
        // Compare the database's state: which of the two promises settles first is random.
        const applied = await run("SELECT migration_name FROM _prisma_migrations ORDER BY 1");
        events.push(...applied.map(({ migration_name }) => migration_name));
      },
    );
    await expect.poll(() => events).toEqual(["waits"]);
    await migrate(url, place.dir);
    await waiting;
    expect(events).toEqual(["waits", "20260101000000_a", "20260102000000_b"]);
    await awaitMigrations(url, () => events.push("waits again"), { dir: place.dir });
    expect(events).not.toContain("waits again");
  });

  it("rolls back a failed migration and reports the position", async () => {
    await addMigration("20260101000000_a", "CREATE TABLE a (id int);\nCREATE TABLE a (id int);\n");
    await expect(migrate(url, place.dir)).rejects.toThrow(
      '20260101000000_a failed and changed nothing: relation "a"',
    );
    expect(await run("SELECT to_regclass('a') AS a, to_regclass('_prisma_migrations') AS m")).toEqual([
      { a: null, m: null },
    ]);
    await addMigration("20260101000000_a", "CREATE TABLE a (id int);");
    expect(await migrate(url, place.dir)).toHaveLength(1);
  });

  it("waits for sessions that block it, and names them on timeout", async () => {
    await run("CREATE TABLE busy (id int)");
    await addMigration("20260101000000_a", "ALTER TABLE busy ADD COLUMN name text;");
    const holder = new Client({ connectionString: url, application_name: "a forgotten console" });
    await holder.connect();
    await holder.query("BEGIN; SELECT * FROM busy");
    const failed = migrate(url, place.dir, { patience: 0 });
    await expect(failed).rejects.toThrow(
      /20260101000000_a waits for process \d+ \(a forgotten console, idle in/,
    );
    const waiting = migrate(url, place.dir);
    const waits = "SELECT 1 FROM pg_locks WHERE relation = 'busy'::regclass AND NOT granted";
    await expect.poll(() => run(waits), { timeout: 60_000 }).toHaveLength(1);
    await holder.end();
    expect(await waiting).toEqual(["20260101000000_a"]);
  });

  it("records migrations as Prisma does", async () => {
    await addMigration("20260101000000_a", 'CREATE TABLE "A" (id int primary key);');
    await migrate(url, place.dir);
    const [row] = await run("SELECT * FROM _prisma_migrations");
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
    await migrate(url, place.dir);
    await run("UPDATE _prisma_migrations SET finished_at = NULL");
    await expect(migrate(url, place.dir)).rejects.toThrow("did not finish");
  });
});
