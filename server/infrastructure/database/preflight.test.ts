import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from "vitest";
import { awaitMigrations, MIGRATIONS, migrate } from "./migrate";

const admin = new URL(inject("databaseAdminUrl"));
/** Needs quoting in the commands of the messages. */
const suffix = randomBytes(6).toString("hex");
const role = `Role-${suffix}`;

async function run(statements: string[], database = "postgres") {
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

const EMPTY = { relations: 0, extensions: 0 };

beforeAll(() => run([`CREATE ROLE "${role}" LOGIN NOSUPERUSER PASSWORD 'pw'`]));
afterAll(() => run([`DROP ROLE "${role}"`]));

/** Creates a database; returns its name and the role's URL. */
async function database(options: string, statements: string[] = []): Promise<{ name: string; url: string }> {
  const name = `preflight_${randomBytes(6).toString("hex")}`;
  await run([`CREATE DATABASE ${name} TEMPLATE template0 ${options}`]);
  onTestFinished(() => run([`DROP DATABASE ${name} WITH (FORCE)`]).then(() => {}));
  if (statements.length > 0) await run(statements, name);
  const url = Object.assign(new URL(admin), { username: role, password: "pw", pathname: `/${name}` });
  return { name, url: url.href };
}

async function migrations(sql: string): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "tellal-preflight-"));
  onTestFinished(() => rm(dir, { recursive: true }));
  await mkdir(join(dir, "20260101000000_a"));
  await writeFile(join(dir, "20260101000000_a", "migration.sql"), sql);
  return dir;
}

const SQL_ASCII = `OWNER "${role}" ENCODING 'SQL_ASCII' LOCALE_PROVIDER libc LC_COLLATE 'C' LC_CTYPE 'C'`;

describe("before the first migration", () => {
  it("rejects an encoding other than UTF8, in a worker as well", async () => {
    const { name, url } = await database(SQL_ASCII);
    const sentence =
      `DATABASE_URL: the database ${name} has the encoding SQL_ASCII and has to have UTF8. Create it again; as the user ` +
      `postgres run: dropdb ${name} && createdb -O '${role}' -E UTF8 -T template0 ${name}`;
    await expect(migrate(url)).rejects.toThrow(sentence);
    await expect(awaitMigrations(url, () => expect.fail("waits"))).rejects.toThrow(sentence);
    expect(await run([], name)).toEqual(EMPTY);
  });

  it("rejects a user who may not create tables, and prints the statement that grants it", async () => {
    const { name, url } = await database("");
    const statement = `ALTER DATABASE ${name} OWNER TO "${role}"`;
    await expect(migrate(url)).rejects.toThrow(
      `DATABASE_URL: the user ${role} may not create tables in the database ${name}. As the user postgres run: ` +
        `psql -d postgres -c '${statement}'`,
    );
    expect(await run([], name)).toEqual(EMPTY);
    await run([statement]);
    expect(await migrate(url)).not.toEqual([]);
  });

  it("lets a worker wait although its user has fewer privileges than the server's", async () => {
    const { name, url } = await database("", [
      `ALTER DEFAULT PRIVILEGES GRANT SELECT ON TABLES TO "${role}"`,
    ]);
    const dir = await migrations("CREATE TABLE a (id int)");
    const server = Object.assign(new URL(admin), { pathname: `/${name}` }).href;
    let applied: Promise<string[]> | undefined;
    const waits = () => {
      applied = migrate(server, dir);
    };
    await awaitMigrations(url, waits, { dir, pause: 10 });
    expect(await applied).toHaveLength(1);
  });

  it("rejects an owner without rights in schema public, and prints the statement that grants them", async () => {
    const { name, url } = await database(`OWNER "${role}"`, ["ALTER SCHEMA public OWNER TO CURRENT_USER"]);
    const statement = `GRANT ALL ON SCHEMA public TO "${role}"`;
    const dir = await migrations("CREATE TABLE a (id int)");
    await expect(migrate(url, dir)).rejects.toThrow(`run: psql -d ${name} -c '${statement}'`);
    expect(await run([], name)).toEqual(EMPTY);
    await run([statement], name);
    expect(await migrate(url, dir)).toHaveLength(1);
  });

  it("rejects a server without the extensions or ICU", async () => {
    const { name, url } = await database(`OWNER "${role}"`, [
      "DELETE FROM pg_collation WHERE collprovider = 'i'",
    ]);
    await expect(
      migrate(url, await migrations('CREATE EXTENSION "nosuch"; CREATE EXTENSION IF NOT EXISTS pg_trgm;')),
    ).rejects.toThrow("DATABASE_URL: this PostgreSQL lacks nosuch; install");
    await expect(migrate(url, MIGRATIONS)).rejects.toThrow("was built without ICU");
    expect(await run([], name)).toEqual(EMPTY);
  });

  it("rejects a user who may not create an extension, until it exists", async () => {
    const { name, url } = await database(`OWNER "${role}"`);
    const dir = await migrations("CREATE EXTENSION IF NOT EXISTS pageinspect; CREATE TABLE a (id int)");
    const statement = "CREATE EXTENSION pageinspect";
    await expect(migrate(url, dir)).rejects.toThrow(
      `DATABASE_URL: the user ${role} may not create the extension pageinspect. As the user postgres run: ` +
        `psql -d ${name} -c '${statement}'`,
    );
    expect(await run([], name)).toEqual(EMPTY);
    await run([statement], name);
    expect(await migrate(url, dir)).toHaveLength(1);
  });

  it("skips the check when no migration is pending", async () => {
    const { name, url } = await database(`OWNER "${role}"`);
    const dir = await migrations("CREATE TABLE a (id int)");
    await migrate(url, dir);
    await run([`ALTER DATABASE ${name} OWNER TO CURRENT_USER`]);
    await expect(migrate(url, dir)).resolves.toEqual([]);
  });
});
