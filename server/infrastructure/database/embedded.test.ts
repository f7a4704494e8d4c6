import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { killProcess, startProgram } from "../../testing/processes";
import { DatabaseStartError, startEmbeddedPostgres } from "./embedded";
import { isAlive } from "./embedded-postgres/cluster";

const isRoot = process.getuid?.() === 0;

async function createDataDir(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "tellal-embedded-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

async function startDatabase(dataDir: string) {
  const database = await startEmbeddedPostgres({ dataDir });
  onTestFinished(() => database.stop());
  return database;
}

async function runQuery(url: string, text: string) {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 30_000 });
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

const expectWorking = (url: string) =>
  expect(runQuery(url, "SELECT 1 AS one")).resolves.toEqual([{ one: 1 }]);

/** Mounts a tmpfs; returns undefined if that is not permitted. */
function mountTmpfs(dir: string, options: string): string | undefined {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", dir], { stdio: "pipe" });
  } catch {
    return undefined;
  }
  onTestFinished(() => void execFileSync("umount", ["--lazy", dir]));
  return dir;
}

describe("the embedded database", () => {
  it("runs PostgreSQL 18 on loopback for an ordinary role with a password, independent of the locale", async () => {
    const dir = await createDataDir();
    const { url, adminUrl } = await startDatabase(dir);
    const [row] = await runQuery(
      url,
      `SELECT current_setting('server_version') AS version, current_setting('listen_addresses') AS address,
              current_setting('fsync') AS fsync,
              pg_encoding_to_char(encoding) AS encoding, datlocprovider AS provider, lower('ILIK') AS lower,
              (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) AS super
         FROM pg_database WHERE datname = current_database()`,
    );
    expect(row).toMatchObject({ address: "127.0.0.1", fsync: "on", encoding: "UTF8", provider: "b" });
    expect(row).toMatchObject({ lower: "ilik", super: false });
    expect(row.version).toMatch(/^18\./);
    await expect(runQuery(url.replace(/:[^:@]+@/, ":wrong@"), "SELECT 1")).rejects.toThrow(
      "password authentication",
    );
    expect(await runQuery(adminUrl, "SHOW unix_socket_directories")).toEqual([
      { unix_socket_directories: "" },
    ]);
    const passwordFileStat = await stat(join(dir, "postgres.password"));
    expect(passwordFileStat.mode & 0o777).toBe(0o600);
  });

  it("takes over the server that survived a killed process", async () => {
    const dir = await createDataDir();
    const { child, line } = await startProgram("hold-database", dir);
    const firstServer = JSON.parse(line);
    await runQuery(firstServer.url, "CREATE TABLE kept AS SELECT 42 AS answer");
    await killProcess(child);
    expect(await isAlive(firstServer.pid)).toBe(true);
    const database = await startDatabase(dir);
    expect(database).toMatchObject({ url: firstServer.url, pid: firstServer.pid });
    await expect(runQuery(database.url, "SELECT answer FROM kept")).resolves.toEqual([{ answer: 42 }]);
    await database.stop();
    expect(await isAlive(firstServer.pid)).toBe(false);
  });

  it("recovers after process and server were killed", async () => {
    const dir = await createDataDir();
    const { child, line } = await startProgram("hold-database", dir);
    const { url, pid } = JSON.parse(line);
    const longQuery = runQuery(url, "SELECT pg_sleep(60)").catch((error) => error.message);
    await runQuery(url, "CREATE TABLE kept AS SELECT 42 AS answer");
    process.kill(pid, "SIGKILL");
    await killProcess(child);
    const startedAt = performance.now();
    const database = await startDatabase(dir);
    expect(performance.now() - startedAt).toBeLessThan(120_000);
    await expect(runQuery(database.url, "SELECT answer FROM kept")).resolves.toEqual([{ answer: 42 }]);
    await longQuery;
  });

  it("restarts a dead server on the same port", async () => {
    const database = await startDatabase(await createDataDir());
    for (const signal of ["SIGKILL", "SIGQUIT", "SIGINT"] as const) {
      const { pid } = database;
      process.kill(pid, signal);
      await vi.waitFor(() => expect(database.pid).not.toBe(pid), { timeout: 60_000 });
      await expectWorking(database.url);
    }
  });

  it("ignores a pid file whose pid belongs to another program", async () => {
    const dir = await createDataDir();
    await (await startEmbeddedPostgres({ dataDir: dir })).stop();
    const pidFile = join(dir, "postgres", "postmaster.pid");
    await writeFile(pidFile, `${process.pid}\n${join(dir, "postgres")}\n1\n5432\n\n127.0.0.1\n\nready   \n`);
    await expectWorking((await startDatabase(dir)).url);
  });

  it("uses another port if its own is taken", async () => {
    const dir = await createDataDir();
    const otherDatabase = await startDatabase(await createDataDir());
    await writeFile(join(dir, "postgres.port"), new URL(otherDatabase.url).port);
    const database = await startDatabase(dir);
    expect(new URL(database.url).port).not.toBe(new URL(otherDatabase.url).port);
    expect(await readFile(join(dir, "postgres.port"), "utf8")).toBe(new URL(database.url).port);
  });

  it("removes an ephemeral cluster after its process was killed", async () => {
    const dir = await createDataDir();
    const { child, line } = await startProgram("hold-database", dir, "ephemeral");
    const { pid } = JSON.parse(line);
    await killProcess(child);
    await vi.waitFor(async () => expect((await isAlive(pid)) || existsSync(dir)).toBe(false), {
      timeout: 60_000,
    });
  });
});

describe("a start that fails", () => {
  const getStartError = async (dataDir: string) => {
    const error = await startEmbeddedPostgres({ dataDir }).then(
      () => undefined,
      (reason) => reason,
    );
    expect(error).toBeInstanceOf(DatabaseStartError);
    return (error as Error).message;
  };

  it("names the version of data of another PostgreSQL", async () => {
    const dir = await createDataDir();
    await mkdir(join(dir, "postgres"));
    await writeFile(join(dir, "postgres", "PG_VERSION"), "16\n");
    await writeFile(join(dir, "postgres.password"), "secret");
    expect(await getStartError(dir)).toMatch(/is of PostgreSQL 16, this release has 18/);
  });

  it("names a directory that is not writable", async () => {
    const dir = await createDataDir();
    // Root ignores permissions, but not a read-only file system.
    if (isRoot) expect(mountTmpfs(dir, "ro")).toBe(dir);
    else await chmod(dir, 0o500);
    expect(await getStartError(dir)).toContain(`${dir} cannot be written to`);
  });

  it("names a file in place of the directory", async () => {
    const file = join(await createDataDir(), "file");
    await writeFile(file, "");
    expect(await getStartError(file)).toContain(`${file} is not a directory`);
  });

  it("reports a missing password file", async () => {
    const dir = await createDataDir();
    await (await startEmbeddedPostgres({ dataDir: dir })).stop();
    await rm(join(dir, "postgres.password"));
    expect(await getStartError(dir)).toContain("postgres.password is missing");
  });

  it.runIf(isRoot)("reports a full disk, and starts once there is space", async () => {
    const dir = await createDataDir();
    expect(mountTmpfs(dir, "size=16m")).toBe(dir);
    expect(await getStartError(dir)).toContain(`${dir} is full`);
    execFileSync("mount", ["-o", "remount,size=200m", dir]);
    await expectWorking((await startDatabase(dir)).url);
  });
});

describe.runIf(isRoot)("as root", () => {
  it("starts below a directory that only root can enter", async () => {
    const closedDir = await createDataDir();
    const dir = join(closedDir, "project", ".data");
    await expectWorking((await startDatabase(dir)).url);
    expect((await stat(closedDir)).mode & 0o777).toBe(0o700);
  });

  it("keeps reading while the disk is full, and writes again afterwards", async () => {
    const dir = await createDataDir();
    expect(mountTmpfs(dir, "size=160m")).toBe(dir);
    const { url } = await startDatabase(dir);
    await runQuery(url, "CREATE TABLE filled (text text); INSERT INTO filled VALUES ('first')");
    await expect(
      (async () => {
        for (;;)
          await runQuery(
            url,
            "INSERT INTO filled SELECT repeat(md5(n::text), 30) FROM generate_series(1, 9000) n",
          );
      })(),
    ).rejects.toThrow();
    await vi.waitFor(() => runQuery(url, "SELECT * FROM filled WHERE text = 'first'"), {
      timeout: 60_000,
      interval: 500,
    });
    execFileSync("mount", ["-o", "remount,size=400m", dir]);
    await vi.waitFor(() => runQuery(url, "INSERT INTO filled VALUES ('last')"), {
      timeout: 60_000,
      interval: 200,
    });
    await expect(
      runQuery(url, "SELECT count(*)::int AS n FROM filled WHERE length(text) < 6"),
    ).resolves.toEqual([{ n: 2 }]);
  });
});
