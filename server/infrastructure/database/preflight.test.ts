import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from "vitest";
import { awaitMigrations, MIGRATIONS_DIR, migrate } from "./migrate";

const admin = new URL(inject("databaseAdminUrl"));
const suffix = randomBytes(6).toString("hex");
/** Contains a capital and a hyphen: the commands in the messages must quote it. */
const role = `Role-${suffix}`;

async function runStatements(statements: string[], database = "postgres") {
  const client = new Client({
    connectionString: Object.assign(new URL(admin), { pathname: `/${database}` }).href,
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

beforeAll(() => runStatements([`CREATE ROLE "${role}" LOGIN NOSUPERUSER PASSWORD 'pw'`]));
afterAll(() => runStatements([`DROP ROLE "${role}"`]));

async function createDatabase(
  options: string,
  statements: string[] = [],
): Promise<{ name: string; url: string }> {
  const name = `preflight_${randomBytes(6).toString("hex")}`;
  await runStatements([`CREATE DATABASE ${name} TEMPLATE template0 ${options}`]);
  onTestFinished(() => runStatements([`DROP DATABASE ${name} WITH (FORCE)`]).then(() => {}));
  if (statements.length > 0) await runStatements(statements, name);
  const url = Object.assign(new URL(admin), { username: role, password: "pw", pathname: `/${name}` });
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
    await expect(migrate(url)).rejects.toThrow(message);
    await expect(awaitMigrations(url, () => expect.fail("waits"))).rejects.toThrow(message);
    expect(await runStatements([], name)).toEqual(EMPTY_DATABASE);
  });

  it("rejects a user who may not create tables, and prints the statement that grants it", async () => {
    const { name, url } = await createDatabase("");
    const statement = `ALTER DATABASE ${name} OWNER TO "${role}"`;
    await expect(migrate(url)).rejects.toThrow(
      `DATABASE_URL: the user ${role} may not create tables in the database ${name}. As the user postgres run: ` +
        `psql -d postgres -c '${statement}'`,
    );
    expect(await runStatements([], name)).toEqual(EMPTY_DATABASE);
    await runStatements([statement]);
    expect(await migrate(url)).not.toEqual([]);
  });

  it("lets a worker wait although its user has fewer privileges than the server's", async () => {
    const { name, url } = await createDatabase("", [
      `ALTER DEFAULT PRIVILEGES GRANT SELECT ON TABLES TO "${role}"`,
    ]);
    const dir = await writeMigrationDir("CREATE TABLE a (id int)");
    const serverUrl = Object.assign(new URL(admin), { pathname: `/${name}` }).href;
    let appliedMigrations: Promise<string[]> | undefined;
    const startServer = () => {
      appliedMigrations = migrate(serverUrl, dir);
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
    await expect(migrate(url, dir)).rejects.toThrow(`run: psql -d ${name} -c '${statement}'`);
    expect(await runStatements([], name)).toEqual(EMPTY_DATABASE);
    await runStatements([statement], name);
    expect(await migrate(url, dir)).toHaveLength(1);
  });

  it("rejects a server without the extensions or ICU", async () => {
    const { name, url } = await createDatabase(`OWNER "${role}"`, [
      "DELETE FROM pg_collation WHERE collprovider = 'i'",
    ]);
    await expect(
      migrate(
        url,
        await writeMigrationDir('CREATE EXTENSION "nosuch"; CREATE EXTENSION IF NOT EXISTS pg_trgm;'),
      ),
    ).rejects.toThrow("DATABASE_URL: this PostgreSQL lacks nosuch; install");
    await expect(migrate(url, MIGRATIONS_DIR)).rejects.toThrow("was built without ICU");
    expect(await runStatements([], name)).toEqual(EMPTY_DATABASE);
  });

  it("rejects a user who may not create an extension, until it exists", async () => {
    const { name, url } = await createDatabase(`OWNER "${role}"`);
    const dir = await writeMigrationDir(
      "CREATE EXTENSION IF NOT EXISTS pageinspect; CREATE TABLE a (id int)",
    );
    const statement = "CREATE EXTENSION pageinspect";
    await expect(migrate(url, dir)).rejects.toThrow(
      `DATABASE_URL: the user ${role} may not create the extension pageinspect. As the user postgres run: ` +
        `psql -d ${name} -c '${statement}'`,
    );
    expect(await runStatements([], name)).toEqual(EMPTY_DATABASE);
    await runStatements([statement], name);
    expect(await migrate(url, dir)).toHaveLength(1);
  });

  it("skips the check when no migration is pending", async () => {
    const { name, url } = await createDatabase(`OWNER "${role}"`);
    const dir = await writeMigrationDir("CREATE TABLE a (id int)");
    await migrate(url, dir);
    await runStatements([`ALTER DATABASE ${name} OWNER TO CURRENT_USER`]);
    await expect(migrate(url, dir)).resolves.toEqual([]);
  });
});
