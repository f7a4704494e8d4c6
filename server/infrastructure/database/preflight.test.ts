import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from "vitest";
import { awaitMigrations, MIGRATIONS_DIR, migrateDatabase } from "./migrate";

const adminUrl = new URL(inject("databaseAdminUrl"));
const suffix = randomBytes(6).toString("hex");
/** Contains a capital and a hyphen: the commands in the messages must quote it. */
const role = `Role-${suffix}`;

async function runAndCountObjects(statements: string[], database = "postgres") {
  const client = new Client({
    connectionString: Object.assign(new URL(adminUrl), { pathname: `/${database}` }).href,
  });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
    const { rows } = await client.query(
      `SELECT (SELECT count(*)::int FROM pg_class WHERE relnamespace = 'public'::regnamespace) AS relations,
              (SELECT count(*)::int FROM pg_extension WHERE extname <> 'plpgsql') AS extensions`,
    );
    return rows[0] as { relations: number; extensions: number };
  } finally {
    await client.end();
  }
}

const EMPTY_DATABASE = { relations: 0, extensions: 0 };

beforeAll(() => runAndCountObjects([`CREATE ROLE "${role}" LOGIN NOSUPERUSER PASSWORD 'pw'`]));
afterAll(() => runAndCountObjects([`DROP ROLE "${role}"`]));

async function createDatabase(
  options: string,
  statements: string[] = [],
): Promise<{ name: string; url: string }> {
  const name = `preflight_${randomBytes(6).toString("hex")}`;
  await runAndCountObjects([`CREATE DATABASE ${name} TEMPLATE template0 ${options}`]);
  onTestFinished(() => runAndCountObjects([`DROP DATABASE ${name} WITH (FORCE)`]).then(() => {}));
  if (statements.length > 0) await runAndCountObjects(statements, name);
  const url = Object.assign(new URL(adminUrl), { username: role, password: "pw", pathname: `/${name}` });
  return { name, url: url.href };
}

async function writeMigrationDir(sql: string): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "tellal-preflight-"));
  onTestFinished(() => rm(dir, { recursive: true }));
  await mkdir(join(dir, "20260101000000_a"));
  await writeFile(join(dir, "20260101000000_a", "migration.sql"), sql);
  return dir;
}

const SQL_ASCII = `OWNER "${role}" ENCODING 'SQL_ASCII' LOCALE_PROVIDER libc LC_COLLATE 'C' LC_CTYPE 'C'`;

describe("before the first migration", () => {
  it("rejects an encoding other than UTF8, in a worker as well", async () => {
    const { name, url } = await createDatabase(SQL_ASCII);
    const message =
      `DATABASE_URL: the database ${name} has the encoding SQL_ASCII and has to have UTF8. Create it again; as the user ` +
      `postgres run: dropdb ${name} && createdb -O '${role}' -E UTF8 -T template0 ${name}`;
    await expect(migrateDatabase(url)).rejects.toThrow(message);
    await expect(awaitMigrations(url, () => expect.fail("waits"))).rejects.toThrow(message);
    expect(await runAndCountObjects([], name)).toEqual(EMPTY_DATABASE);
  });

  it("rejects a user who may not create tables, and prints the statement that grants it", async () => {
    const { name, url } = await createDatabase("");
    const statement = `ALTER DATABASE ${name} OWNER TO "${role}"`;
    await expect(migrateDatabase(url)).rejects.toThrow(
      `DATABASE_URL: the user ${role} may not create tables in the database ${name}. As the user postgres run: ` +
        `psql -d postgres -c '${statement}'`,
    );
    expect(await runAndCountObjects([], name)).toEqual(EMPTY_DATABASE);
    await runAndCountObjects([statement]);
    expect(await migrateDatabase(url)).not.toEqual([]);
  });

  it("lets a worker wait although its user has fewer privileges than the server's", async () => {
    const { name, url } = await createDatabase("", [
      `ALTER DEFAULT PRIVILEGES GRANT SELECT ON TABLES TO "${role}"`,
    ]);
    const dir = await writeMigrationDir("CREATE TABLE a (id int)");
    const serverUrl = Object.assign(new URL(adminUrl), { pathname: `/${name}` }).href;
    let appliedMigrations: Promise<string[]> | undefined;
    const startServer = () => {
      appliedMigrations = migrateDatabase(serverUrl, dir);
    };
    await awaitMigrations(url, startServer, { dir, pauseMs: 10 });
    expect(await appliedMigrations).toHaveLength(1);
  });

  it("rejects an owner without rights in schema public, and prints the statement that grants them", async () => {
    const { name, url } = await createDatabase(`OWNER "${role}"`, [
      "ALTER SCHEMA public OWNER TO CURRENT_USER",
    ]);
    const statement = `GRANT ALL ON SCHEMA public TO "${role}"`;
    const dir = await writeMigrationDir("CREATE TABLE a (id int)");
    await expect(migrateDatabase(url, dir)).rejects.toThrow(`run: psql -d ${name} -c '${statement}'`);
    expect(await runAndCountObjects([], name)).toEqual(EMPTY_DATABASE);
    await runAndCountObjects([statement], name);
    expect(await migrateDatabase(url, dir)).toHaveLength(1);
  });

  it("rejects a server without the extensions or ICU", async () => {
    const { name, url } = await createDatabase(`OWNER "${role}"`, [
      "DELETE FROM pg_collation WHERE collprovider = 'i'",
    ]);
    await expect(
      migrateDatabase(
        url,
        await writeMigrationDir('CREATE EXTENSION "nosuch"; CREATE EXTENSION IF NOT EXISTS pg_trgm;'),
      ),
    ).rejects.toThrow("DATABASE_URL: this PostgreSQL lacks nosuch; install");
    await expect(migrateDatabase(url, MIGRATIONS_DIR)).rejects.toThrow("was built without ICU");
    expect(await runAndCountObjects([], name)).toEqual(EMPTY_DATABASE);
  });

  it("rejects a user who may not create an extension, until it exists", async () => {
    const { name, url } = await createDatabase(`OWNER "${role}"`);
    const dir = await writeMigrationDir(
      "CREATE EXTENSION IF NOT EXISTS pageinspect; CREATE TABLE a (id int)",
    );
    const statement = "CREATE EXTENSION pageinspect";
    await expect(migrateDatabase(url, dir)).rejects.toThrow(
      `DATABASE_URL: the user ${role} may not create the extension pageinspect. As the user postgres run: ` +
        `psql -d ${name} -c '${statement}'`,
    );
    expect(await runAndCountObjects([], name)).toEqual(EMPTY_DATABASE);
    await runAndCountObjects([statement], name);
    expect(await migrateDatabase(url, dir)).toHaveLength(1);
  });

  it("skips the check when no migration is pending", async () => {
    const { name, url } = await createDatabase(`OWNER "${role}"`);
    const dir = await writeMigrationDir("CREATE TABLE a (id int)");
    await migrateDatabase(url, dir);
    await runAndCountObjects([`ALTER DATABASE ${name} OWNER TO CURRENT_USER`]);
    await expect(migrateDatabase(url, dir)).resolves.toEqual([]);
  });
});
