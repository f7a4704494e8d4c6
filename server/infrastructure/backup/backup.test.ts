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
import { createEmptyDatabase, createTestDatabase } from "@/server/testing/database";
import { readDatabaseChecksums, readFileChecksums } from "@/server/testing/database-contents";
import { overrideSettings } from "@/server/testing/settings";
import { closeDatabase, openDatabase, prisma } from "../database/client";
import { listMigrations, rebuildSchema } from "../database/migrate";
import { checkAppSecret } from "../secrets/fingerprint";
import { BACKED_UP_FOLDERS } from "../storage/driver";
import { storage } from "../storage/storage";
import { backUp } from "./backup";
import { dumpInstallation } from "./dump";
import { checkBackup, restoreBackup } from "./restore";
import { openSealedFile, sealStream } from "./sealed-file";

const sourceUrl = await createTestDatabase();
const dataDir = await mkdtemp(join(tmpdir(), "tellal-backup-"));
overrideSettings({ DATA_DIR: dataDir });
const dataPath = (name: string) => join(dataDir, name);

beforeAll(async () => {
  // In its own process: the demo's pictures use a format that sharp blocks in other tests.
  const seed = ["node_modules/tsx/dist/cli.mjs", "--tsconfig", "tsconfig.node.json", "prisma/seed.ts"];
  await promisify(execFile)(process.execPath, seed);
});
afterAll(async () => {
  await closeDatabase();
  await rm(dataDir, { recursive: true, force: true });
});

async function withOtherInstallation<T>(url: string, work: () => Promise<T>): Promise<T> {
  await closeDatabase();
  await mkdir(dataPath("away"), { recursive: true });
  for (const each of BACKED_UP_FOLDERS)
    await rename(dataPath(each), dataPath(`away/${each}`)).catch(() => {});
  openDatabase(url);
  try {
    return await work();
  } finally {
    await closeDatabase();
    for (const each of BACKED_UP_FOLDERS) {
      await rm(dataPath(each), { recursive: true, force: true });
      await rename(dataPath(`away/${each}`), dataPath(each)).catch(() => {});
    }
    openDatabase(sourceUrl);
  }
}

const listTableNames = async (url: string) => Object.keys((await readDatabaseChecksums(url)).tables);

it("restores everything into the database of another installation", async () => {
  const demoAccountCount = await prisma().user.count();
  const [contentsBefore, fileChecksums] = [await readDatabaseChecksums(sourceUrl), await readFileChecksums()];
  const summary = await backUp(sourceUrl, dataPath("whole.backup"));
  expect((await stat(dataPath("whole.backup"))).mode & 0o777).toBe(0o600);
  const backupText = await readFile(dataPath("whole.backup"), "latin1");
  for (const word of ["customer@example.com", "users", "media/"]) expect(backupText).not.toContain(word);
  const targetUrl = await createEmptyDatabase();
  await withOtherInstallation(targetUrl, async () => {
    const restoreSummary = await restoreBackup(targetUrl, await checkBackup(dataPath("whole.backup")));
    expect(restoreSummary).toEqual(summary);
    expect(await readFileChecksums()).toEqual(fileChecksums);
    expect(await prisma().user.count()).toBe(demoAccountCount);
    await checkAppSecret();
  });
  expect(await readDatabaseChecksums(targetUrl)).toEqual(contentsBefore);
  expect(Object.keys(fileChecksums).length).toBe(summary.files);
  await expect(backUp(sourceUrl, dataPath("whole.backup"))).rejects.toThrow("exists already");
});

it("rejects a database or storage that is not empty, and leaves it unchanged", async () => {
  const checkedBackup = await checkBackup(dataPath("whole.backup"));
  await expect(restoreBackup(await createEmptyDatabase(), checkedBackup)).rejects.toThrow(
    "stored files already",
  );
  const contentsBefore = await readDatabaseChecksums(sourceUrl);
  await withOtherInstallation(sourceUrl, async () => {
    await expect(restoreBackup(sourceUrl, checkedBackup)).rejects.toThrow("The database is not empty");
    expect(await readFileChecksums()).toEqual({});
  });
  expect(await readDatabaseChecksums(sourceUrl)).toEqual(contentsBefore);
});

it("rejects a backup that was truncated, altered or made under another secret", async () => {
  const backupBytes = await readFile(dataPath("whole.backup"));
  const brokenPath = dataPath("broken.backup");
  const checkBytes = async (bytes: Buffer) => {
    await writeFile(brokenPath, bytes);
    return checkBackup(brokenPath);
  };
  for (const length of [0, 15, 79, 80, 96, backupBytes.length >> 1, backupBytes.length - 1])
    await expect(checkBytes(backupBytes.subarray(0, length)), `cut to ${length}`).rejects.toThrow(
      /not a backup|cut off|APP_SECRET/,
    );
  for (const position of [0, 20, 60, 80, backupBytes.length >> 1, backupBytes.length - 1]) {
    const altered = Buffer.from(backupBytes);
    altered[position]! ^= 1;
    await expect(checkBytes(altered), `altered at ${position}`).rejects.toThrow(
      /not a backup|altered|APP_SECRET/,
    );
  }
  await expect(checkBytes(Buffer.concat([backupBytes, Buffer.from("x")]))).rejects.toThrow("altered");
  const secret = (await readFile(dataPath("app.secret"), "utf8")).trim();
  const checkBackupWithSecrets = async (current: string, former: string) => {
    overrideSettings({ APP_SECRET: current, APP_SECRET_OLD: former });
    return checkBackup(dataPath("whole.backup"));
  };
  const otherSecret = "another-secret-of-more-than-32-characters";
  await expect(checkBackupWithSecrets(otherSecret, "")).rejects.toThrow("another APP_SECRET");
  expect((await checkBackupWithSecrets(otherSecret, secret)).totals.rows["public.users"]).toBe(
    await prisma().user.count(),
  );
  overrideSettings({ APP_SECRET: "", APP_SECRET_OLD: "" });
});

it("seals and opens content of any size in chunks", async () => {
  for (const size of [0, 1, 262_143, 262_144, 262_145, 1_000_000]) {
    const content = Buffer.alloc(size, 7);
    const file = await open(dataPath("pieces"), "w");
    for await (const chunk of sealStream(
      Readable.from([content.subarray(0, 70_000), content.subarray(70_000)]),
    ))
      await file.write(chunk);
    await file.close();
    const openedChunks: Buffer[] = [];
    for await (const piece of openSealedFile(dataPath("pieces"))) openedChunks.push(piece);
    expect(Buffer.concat(openedChunks).equals(content)).toBe(true);
  }
});

const toMediaKey = (name: string) => `media/files/0a/${name}.pdf`;

async function addFile(name: string): Promise<void> {
  const { id: userId } = await prisma().user.findFirstOrThrow({ where: { email: "customer@example.com" } });
  await storage().write(toMediaKey(name), Readable.from([name]));
  const fileData = {
    kind: "document",
    mimeType: "application/pdf",
    name,
    nameFolded: name,
    size: 1,
  } as const;
  await prisma().mediaFile.create({ data: { userId, fileKey: toMediaKey(name), ...fileData } });
}

async function removeFile(name: string): Promise<void> {
  await prisma().mediaFile.delete({ where: { fileKey: toMediaKey(name) } });
  await removeFileJob({ key: toMediaKey(name) });
}

const listRemovalJobs = () =>
  prisma().$queryRaw<unknown[]>`select 1 from graphile_worker.jobs where task_identifier = 'remove_file'`;

it("contains a file of a row in the snapshot even if the file is removed during the backup", async () => {
  await addFile("removed");
  const keys: string[] = [];
  const dump = dumpInstallation(sourceUrl, listStoredNames, () => {});
  async function* listStoredNames(): AsyncGenerator<Uint8Array> {
    for await (const each of storage().listAll()) keys.push(each.key);
    yield new Uint8Array();
  }
  // The first entry is written after the snapshot was taken.
  await dump.next();
  await removeFile("removed");
  expect((await storage().read(toMediaKey("removed"))) !== undefined).toBe(true);
  expect((await listRemovalJobs()).length).toBe(1);
  for await (const _ of dump);
  expect(keys).toContain(toMediaKey("removed"));
  await removeFileJob({ key: toMediaKey("removed") });
  expect(await storage().read(toMediaKey("removed"))).toBeUndefined();
});

it("keeps rows and files consistent while files are added and removed", async () => {
  const names = Array.from({ length: 40 }, (_, number) => `burst${number}`);
  await Promise.all(names.slice(0, 20).map(addFile));
  const [summary] = await Promise.all([
    backUp(sourceUrl, dataPath("burst.backup")),
    ...names.slice(0, 20).map(removeFile),
    ...names.slice(20).map(addFile),
  ]);
  const targetUrl = await createEmptyDatabase();
  await withOtherInstallation(targetUrl, async () => {
    expect(await restoreBackup(targetUrl, await checkBackup(dataPath("burst.backup")))).toEqual(summary);
    const rows = await prisma().mediaFile.findMany({ select: { fileKey: true } });
    const fileChecksums = await readFileChecksums();
    expect(rows.filter(({ fileKey }) => !(fileKey in fileChecksums))).toEqual([]);
  });
});

it("reports the time of the snapshot, not of a later lock", async () => {
  const holder = new Client({ connectionString: sourceUrl });
  await holder.connect();
  await holder.query("begin; lock table settings in access exclusive mode");
  const backup = backUp(sourceUrl, dataPath("waited.backup"));
  const countWaitingLocks = async () =>
    (await holder.query("select 1 from pg_locks where relation = 'settings'::regclass and not granted"))
      .rowCount;
  await expect.poll(countWaitingLocks).toBe(1);
  // Later commits are not in the backup.
  const { rows } = await holder.query<{ now: Date }>("select clock_timestamp() as now");
  await holder.end();
  expect(new Date((await backup).snapshotAt).getTime()).toBeLessThanOrEqual(rows[0]!.now.getTime());
});

it("migrates a backup of an older release", async () => {
  const migrations = await listMigrations();
  const formerUrl = await createEmptyDatabase();
  const client = new Client({ connectionString: formerUrl });
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
  await runMigrations({ connectionString: formerUrl });
  await backUp(formerUrl, dataPath("former.backup"));
  const targetUrl = await createEmptyDatabase();
  await withOtherInstallation(targetUrl, async () => {
    await restoreBackup(targetUrl, await checkBackup(dataPath("former.backup")));
    expect(await prisma().appSecret.findMany({ select: { fingerprint: true } })).toEqual([
      { fingerprint: "kept" },
    ]);
  });
  expect(await listTableNames(targetUrl)).toEqual(await listTableNames(sourceUrl));
  expect((await readDatabaseChecksums(targetUrl)).schema.length).toBe(
    (await readDatabaseChecksums(sourceUrl)).schema.length,
  );
});

it("rejects a backup of a newer release", async () => {
  const checkedBackup = await checkBackup(dataPath("whole.backup"));
  const targetUrl = await createEmptyDatabase();
  const newerBackup = {
    ...checkedBackup,
    manifest: { ...checkedBackup.manifest, queue: checkedBackup.manifest.queue + 1 },
  };
  await withOtherInstallation(targetUrl, () =>
    expect(restoreBackup(targetUrl, newerBackup)).rejects.toThrow("newer release"),
  );
  expect((await listTableNames(targetUrl)).filter((name) => name.startsWith("public."))).toEqual([]);
});
