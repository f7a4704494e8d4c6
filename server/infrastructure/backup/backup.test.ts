import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, open, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { promisify } from "node:util";
import { runMigrations } from "graphile-worker";
import { Client } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import "@/server/domains";
import { removeFileJob } from "@/server/domains/platform/jobs/jobs";
import { emptyDatabase, testDatabase } from "@/server/testing/database";
import { databaseContents, storedFileChecksums } from "@/server/testing/database-contents";
import { overrideSettings } from "@/server/testing/settings";
import { closeDatabase, connectTo, prisma } from "../database/client";
import { knownMigrations, rebuildSchema } from "../database/migrate";
import { checkSecret } from "../secrets/fingerprint";
import { BACKED_UP_FOLDERS } from "../storage/driver";
import { storage } from "../storage/storage";
import { backUp } from "./backup";
import { dump } from "./dump";
import { checkBackup, restore } from "./restore";
import { openSealedFile, sealStream } from "./sealed";

const source = await testDatabase();
const dataDir = await mkdtemp(join(tmpdir(), "tellal-backup-"));
overrideSettings({ DATA_DIR: dataDir });
const at = (name: string) => join(dataDir, name);

beforeAll(async () => {
  // In its own process: the demo's pictures use a format that sharp blocks in other tests.
  const seed = ["node_modules/tsx/dist/cli.mjs", "--tsconfig", "tsconfig.node.json", "prisma/seed.ts"];
  await promisify(execFile)(process.execPath, seed);
});
afterAll(async () => {
  await closeDatabase();
  await rm(dataDir, { recursive: true, force: true });
});

/** Runs `work` on another database and without the stored files. */
async function elsewhere<T>(url: string, work: () => Promise<T>): Promise<T> {
  await closeDatabase();
  await mkdir(at("away"), { recursive: true });
  for (const each of BACKED_UP_FOLDERS) await rename(at(each), at(`away/${each}`)).catch(() => {});
  connectTo(url);
  try {
    return await work();
  } finally {
    await closeDatabase();
    for (const each of BACKED_UP_FOLDERS) {
      await rm(at(each), { recursive: true, force: true });
      await rename(at(`away/${each}`), at(each)).catch(() => {});
    }
    connectTo(source);
  }
}

const tablesIn = async (url: string) => Object.keys((await databaseContents(url)).tables);

it("restores everything into the database of another installation", async () => {
  const [before, files] = [await databaseContents(source), await storedFileChecksums()];
  const summary = await backUp(source, at("whole.backup"));
  expect((await stat(at("whole.backup"))).mode & 0o777).toBe(0o600);
  const sealed = await readFile(at("whole.backup"), "latin1");
  for (const word of ["customer@example.com", "users", "media/"]) expect(sealed).not.toContain(word);
  const target = await emptyDatabase();
  await elsewhere(target, async () => {
    const restored = await restore(target, await checkBackup(at("whole.backup")));
    expect(restored).toEqual(summary);
    expect(await storedFileChecksums()).toEqual(files);
    expect(await prisma().user.count()).toBe(14);
    await checkSecret();
  });
  expect(await databaseContents(target)).toEqual(before);
  expect(Object.keys(files).length).toBe(summary.files);
  await expect(backUp(source, at("whole.backup"))).rejects.toThrow("exists already");
});

it("rejects a database or storage that is not empty, and leaves it unchanged", async () => {
  const checked = await checkBackup(at("whole.backup"));
  await expect(restore(await emptyDatabase(), checked)).rejects.toThrow("stored files already");
  const before = await databaseContents(source);
  await elsewhere(source, async () => {
    await expect(restore(source, checked)).rejects.toThrow("The database is not empty");
    expect(await storedFileChecksums()).toEqual({});
  });
  expect(await databaseContents(source)).toEqual(before);
});

it("rejects a backup that was truncated, altered or made under another secret", async () => {
  const whole = await readFile(at("whole.backup"));
  const broken = at("broken.backup");
  const opens = async (bytes: Buffer) => {
    await writeFile(broken, bytes);
    return checkBackup(broken);
  };
  for (const length of [0, 15, 79, 80, 96, whole.length >> 1, whole.length - 1])
    await expect(opens(whole.subarray(0, length)), `cut to ${length}`).rejects.toThrow(
      /not a backup|cut off|APP_SECRET/,
    );
  for (const place of [0, 20, 60, 80, whole.length >> 1, whole.length - 1]) {
    const altered = Buffer.from(whole);
    altered[place]! ^= 1;
    await expect(opens(altered), `altered at ${place}`).rejects.toThrow(/not a backup|altered|APP_SECRET/);
  }
  await expect(opens(Buffer.concat([whole, Buffer.from("x")]))).rejects.toThrow("altered");
  const secret = (await readFile(at("app.secret"), "utf8")).trim();
  const withSecrets = async (current: string, former: string) => {
    overrideSettings({ APP_SECRET: current, APP_SECRET_OLD: former });
    return checkBackup(at("whole.backup"));
  };
  const other = "another-secret-of-more-than-32-characters";
  await expect(withSecrets(other, "")).rejects.toThrow("another APP_SECRET");
  expect((await withSecrets(other, secret)).totals.rows["public.users"]).toBe(14);
  overrideSettings({ APP_SECRET: "", APP_SECRET_OLD: "" });
});

it("seals and opens content of any size in chunks", async () => {
  for (const size of [0, 1, 262_143, 262_144, 262_145, 1_000_000]) {
    const content = Buffer.alloc(size, 7);
    const file = await open(at("pieces"), "w");
    for await (const piece of sealStream(
      Readable.from([content.subarray(0, 70_000), content.subarray(70_000)]),
    ))
      await file.write(piece);
    await file.close();
    const back: Buffer[] = [];
    for await (const piece of openSealedFile(at("pieces"))) back.push(piece);
    expect(Buffer.concat(back).equals(content)).toBe(true);
  }
});

const key = (name: string) => `media/files/0a/${name}.pdf`;

async function addFile(name: string): Promise<void> {
  const { id: userId } = await prisma().user.findFirstOrThrow({ where: { email: "customer@example.com" } });
  await storage().write(key(name), Readable.from([name]));
  const about = { kind: "document", mimeType: "application/pdf", name, nameFolded: name, size: 1 } as const;
  await prisma().mediaFile.create({ data: { userId, fileKey: key(name), ...about } });
}

async function removeFile(name: string): Promise<void> {
  await prisma().mediaFile.delete({ where: { fileKey: key(name) } });
  await removeFileJob({ key: key(name) });
}

const removals = () =>
  prisma().$queryRaw<unknown[]>`select 1 from graphile_worker.jobs where task_identifier = 'remove_file'`;

it("contains a file of a row in the snapshot even if the file is removed during the backup", async () => {
  await addFile("removed");
  const keys: string[] = [];
  const content = dump(source, storedNames, () => {});
  async function* storedNames(): AsyncGenerator<Uint8Array> {
    for await (const each of storage().all()) keys.push(each.key);
    yield new Uint8Array();
  }
  // The first entry is written after the snapshot was taken.
  await content.next();
  await removeFile("removed");
  expect((await storage().read(key("removed"))) !== undefined).toBe(true);
  expect((await removals()).length).toBe(1);
  for await (const _ of content);
  expect(keys).toContain(key("removed"));
  await removeFileJob({ key: key("removed") });
  expect(await storage().read(key("removed"))).toBeUndefined();
});

it("keeps rows and files consistent while files are added and removed", async () => {
  const names = Array.from({ length: 40 }, (_, number) => `burst${number}`);
  await Promise.all(names.slice(0, 20).map(addFile));
  const [summary] = await Promise.all([
    backUp(source, at("burst.backup")),
    ...names.slice(0, 20).map(removeFile),
    ...names.slice(20).map(addFile),
  ]);
  const target = await emptyDatabase();
  await elsewhere(target, async () => {
    expect(await restore(target, await checkBackup(at("burst.backup")))).toEqual(summary);
    const rows = await prisma().mediaFile.findMany({ select: { fileKey: true } });
    const files = await storedFileChecksums();
    expect(rows.filter(({ fileKey }) => !(fileKey in files))).toEqual([]);
  });
});

it("reports the time of the snapshot, not of a later lock", async () => {
  const holder = new Client({ connectionString: source });
  await holder.connect();
  await holder.query("begin; lock table settings in access exclusive mode");
  const backup = backUp(source, at("waited.backup"));
  const waiting = async () =>
    (await holder.query("select 1 from pg_locks where relation = 'settings'::regclass and not granted"))
      .rowCount;
  await expect.poll(waiting).toBe(1);
  // Later commits are not in the backup.
  const { rows } = await holder.query<{ now: Date }>("select clock_timestamp() as now");
  await holder.end();
  expect(new Date((await backup).at).getTime()).toBeLessThanOrEqual(rows[0]!.now.getTime());
});

it("migrates a backup of an older release", async () => {
  const migrations = await knownMigrations();
  const former = await emptyDatabase();
  const client = new Client({ connectionString: former });
  await client.connect();
  await rebuildSchema(client, migrations.slice(0, -5));
  for (const name of migrations.slice(0, -5))
    await client.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
       VALUES ($1, 'x', $2, now(), 1)`,
      [randomUUID(), name],
    );
  await client.query("INSERT INTO app_secrets (fingerprint) VALUES ('kept')");
  await client.end();
  await runMigrations({ connectionString: former });
  await backUp(former, at("former.backup"));
  const target = await emptyDatabase();
  await elsewhere(target, async () => {
    await restore(target, await checkBackup(at("former.backup")));
    expect(await prisma().appSecret.findMany({ select: { fingerprint: true } })).toEqual([
      { fingerprint: "kept" },
    ]);
  });
  expect(await tablesIn(target)).toEqual(await tablesIn(source));
  expect((await databaseContents(target)).schema.length).toBe((await databaseContents(source)).schema.length);
});

it("rejects a backup of a newer release", async () => {
  const checked = await checkBackup(at("whole.backup"));
  const target = await emptyDatabase();
  const newer = { ...checked, manifest: { ...checked.manifest, queue: checked.manifest.queue + 1 } };
  await elsewhere(target, () => expect(restore(target, newer)).rejects.toThrow("newer release"));
  expect((await tablesIn(target)).filter((name) => name.startsWith("public."))).toEqual([]);
});
