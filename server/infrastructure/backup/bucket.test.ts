import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, expect, it } from "vitest";
import "@/server/domains";
import { createEmptyDatabase, createTestDatabase } from "@/server/testing/database";
import { readFileChecksums } from "@/server/testing/database-contents";
import { openFakeS3 } from "@/server/testing/s3";
import { overrideSettings } from "@/server/testing/settings";
import { closeDatabase, openDatabase } from "../database/client";
import { storage } from "../storage/storage";
import { backUp } from "./backup";
import { checkBackup, restoreBackup } from "./restore";

const s3 = await openFakeS3();
const dataDir = await mkdtemp(join(tmpdir(), "tellal-backup-"));
overrideSettings({ DATA_DIR: dataDir, ...s3.env });
const sourceUrl = await createTestDatabase();
const targetUrl = await createEmptyDatabase();
afterAll(async () => {
  await closeDatabase();
  await s3.close();
  await rm(dataDir, { recursive: true, force: true });
});

it("restores the files of a bucket, and removes them after a failure", async () => {
  const MB = 1024 * 1024;
  for (const [index, size] of [0, 1, 100, 9 * MB].entries())
    await storage().write(`media/files/0${index}/file${index}.pdf`, Readable.from([randomBytes(size)]));
  const fileChecksums = await readFileChecksums();
  const backupPath = join(dataDir, "bucket.backup");
  expect(await backUp(sourceUrl, backupPath)).toMatchObject({ files: 4 });
  const checkedBackup = await checkBackup(backupPath);
  await expect(restoreBackup(targetUrl, checkedBackup)).rejects.toThrow("stored files already");
  s3.bucket.files.clear();
  openDatabase(targetUrl);
  s3.faults.push({ match: /PUT .*file2/, response: 403 });
  await expect(restoreBackup(targetUrl, checkedBackup)).rejects.toThrow("The bucket answers 403");
  expect(s3.bucket.files.size).toBe(0);
  await restoreBackup(targetUrl, checkedBackup);
  expect(await readFileChecksums()).toEqual(fileChecksums);
});

it("lists all files of a bucket over several pages", async () => {
  s3.bucket.files.clear();
  const file = { bytes: Buffer.from("x"), changedAt: new Date() };
  for (let index = 0; index < 1001; index++) s3.bucket.files.set(`receipts/r${index}.png`, file);
  const keys = new Set<string>();
  for await (const { key } of storage().listAll()) keys.add(key);
  expect(keys).toEqual(new Set(s3.bucket.files.keys()));
});
