import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { afterAll, afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { env } from "@/server/core/env";
import { openFakeS3 } from "@/server/testing/s3";
import { overrideSettings } from "@/server/testing/settings";
import { checkBucket } from "./check-bucket";
import { type StorageDriver, StorageError } from "./driver";
import { localStorage } from "./local";
import { s3Storage } from "./s3";

const MB = 1024 * 1024;
const dataDir = mkdtempSync(join(tmpdir(), "tellal-storage-"));
const s3 = await openFakeS3();
overrideSettings({ DATA_DIR: dataDir, ...s3.env });
afterAll(async () => {
  await s3.close();
  rmSync(dataDir, { recursive: true });
});
afterEach(() => {
  s3.faults.length = 0;
  s3.beforeCall = undefined;
});

let fileCount = 0;
const createKey = (folder = "exports") => `${folder}/file${++fileCount}.zip`;
const writeLocalFile = (bytes: Buffer) => {
  const path = join(dataDir, `arrived${++fileCount}`);
  writeFileSync(path, bytes);
  return path;
};
const writeFile = (driver: StorageDriver, key: string, bytes: Buffer) =>
  driver.write(key, Readable.from([bytes]));
const readContent = async (driver: StorageDriver, key: string, range?: { start: number; end: number }) =>
  buffer((await driver.read(key))!.open(range));

describe.each([
  ["the data directory", localStorage],
  ["a bucket", s3Storage],
])("files in %s", (_, driver: StorageDriver) => {
  it.each([0, 1, 8 * MB, 8 * MB + 1, 20 * MB])("of %i bytes are read unchanged", async (size) => {
    const [writtenKey, movedKey, bytes] = [createKey(), createKey(), randomBytes(size)];
    const chunks = Array.from({ length: Math.ceil(size / 700_000) }, (_, index) =>
      bytes.subarray(index * 700_000, (index + 1) * 700_000),
    );
    expect(await driver.write(writtenKey, Readable.from(chunks))).toBe(size);
    const path = writeLocalFile(bytes);
    await driver.moveIn(movedKey, path);
    expect(() => statSync(path)).toThrow("ENOENT");
    for (const key of [writtenKey, movedKey]) {
      expect((await driver.read(key))!.size).toBe(size);
      expect((await readContent(driver, key)).equals(bytes)).toBe(true);
    }
  });

  it("support ranges with both ends inclusive", async () => {
    const [key, bytes] = [createKey(), randomBytes(9 * MB)];
    await writeFile(driver, key, bytes);
    for (const [start, end] of [
      [0, 0],
      [5, 9],
      [8 * MB - 1, 8 * MB + 1],
      [9 * MB - 1, 9 * MB - 1],
    ] as const)
      expect((await readContent(driver, key, { start, end })).equals(bytes.subarray(start, end + 1))).toBe(
        true,
      );
  });

  it("can be replaced and removed, and a missing one is no error", async () => {
    const key = createKey();
    expect(await driver.read(key)).toBeUndefined();
    await writeFile(driver, key, Buffer.from("one"));
    await writeFile(driver, key, Buffer.from("two"));
    expect(String(await readContent(driver, key))).toBe("two");
    await driver.remove(key);
    await driver.remove(key);
    expect(await driver.read(key)).toBeUndefined();
  });

  it("are listed by folder with their modification time", async () => {
    const minChangedAt = Date.now() - 2000;
    const folder = `media/files/${(++fileCount % 256).toString(16).padStart(2, "0")}`;
    const keys = [createKey(folder), createKey(folder)].sort();
    for (const key of [...keys, createKey("media/files")]) await writeFile(driver, key, Buffer.from("x"));
    const listedFiles = await driver.list(folder);
    expect(listedFiles.map(({ key }) => key).sort()).toEqual(keys);
    for (const { changedAt } of listedFiles) expect(changedAt.getTime()).toBeGreaterThan(minChangedAt);
    expect(await driver.list("media/none")).toEqual([]);
  });

  it("reject keys with path traversal", async () => {
    for (const invalidKey of [
      "../a.zip",
      "exports/../a.zip",
      "/exports/a.zip",
      "exports/a",
      "a.zip",
      "exports/a b.zip",
    ]) {
      await expect(async () => driver.read(invalidKey)).rejects.toThrow("No key");
      await expect(async () => driver.remove(invalidKey)).rejects.toThrow("No key");
      await expect(async () => writeFile(driver, invalidKey, Buffer.from("x"))).rejects.toThrow("No key");
    }
    await expect(async () => driver.list("../")).rejects.toThrow("No folder");
  });

  it("are not stored if the upload breaks off", async () => {
    const key = createKey("exports");
    async function* failingContent() {
      for (let index = 0; index < 3; index++) yield randomBytes(4 * MB);
      throw new Error("the sender went away");
    }
    await expect(driver.write(key, Readable.from(failingContent()))).rejects.toThrow("the sender went away");
    expect(await driver.read(key)).toBeUndefined();
    expect((await driver.list("exports")).filter((each) => each.key.startsWith(key))).toEqual([]);
    expect(s3.bucket.uploads.size).toBe(0);
  });

  it("pass the check", () => driver.checkAccess());

  it("identify the storage for all processes that share it", async () => {
    const firstId = await driver.getStorageId();
    expect(await driver.getStorageId()).toBe(firstId);
  });
});

it("identifies two data directories as different storages", async () => {
  const firstId = await localStorage.getStorageId();
  const otherDataDir = mkdtempSync(join(tmpdir(), "tellal-storage-"));
  overrideSettings({ DATA_DIR: otherDataDir });
  onTestFinished(() => {
    overrideSettings({ DATA_DIR: dataDir });
    rmSync(otherDataDir, { recursive: true });
  });
  expect(await localStorage.getStorageId()).not.toBe(firstId);
});

describe("a bucket", () => {
  const largeContent = randomBytes(20 * MB);
  const smallContent = Buffer.from("small");

  it.each([
    ["resets one connection", "reset"],
    ["is busy once", 503],
    ["fails once", 500],
    ["loses one response", "lost"],
  ] as const)("that %s is retried", async (_, fault) => {
    const [smallKey, largeKey] = [createKey(), createKey()];
    for (const match of [
      /PUT .*(?<!\d)$/,
      /POST .*uploads/,
      /partNumber=2/,
      /POST .*uploadId/,
      /HEAD/,
      /GET .*zip/,
    ])
      s3.faults.push({ match, response: fault });
    await writeFile(s3Storage, smallKey, smallContent);
    await s3Storage.moveIn(largeKey, writeLocalFile(largeContent));
    expect((await readContent(s3Storage, largeKey)).equals(largeContent)).toBe(true);
    s3.faults.push({ match: /DELETE/, response: fault }, { match: /list-type/, response: fault });
    await s3Storage.remove(smallKey);
    expect((await s3Storage.list("exports")).map(({ key }) => key)).not.toContain(smallKey);
    expect(s3.faults).toEqual([]);
    // The sweep removes an upload whose initial response was lost.
    await s3Storage.removeUnfinishedUploads(new Date(Date.now() + 1000));
    expect(s3.bucket.uploads.size).toBe(0);
  });

  it.each([
    ["beginning", /POST .*uploads/],
    ["part", /partNumber=2/],
    ["end", /POST .*uploadId/],
  ])("that rejects the %s of a large file stores nothing and reports its response", async (_, match) => {
    const key = createKey();
    s3.faults.push({ match, response: 403 });
    const path = writeLocalFile(largeContent);
    const failure = await s3Storage.moveIn(key, path).catch((error) => error);
    expect(failure instanceof StorageError).toBe(true);
    expect(failure.isPermanent).toBe(true);
    expect(failure.message).toEqual(expect.stringContaining("The bucket answers 403"));
    expect(await s3Storage.read(key)).toBe(undefined);
    expect(s3.bucket.uploads.size).toBe(0);
    expect(statSync(path).size, "the local file is kept").toBe(largeContent.length);
  });

  it("reports the first error if aborting an upload fails, too", async () => {
    s3.faults.push({ match: /partNumber=1/, response: 403 }, { match: /DELETE/, response: 401 });
    await expect(s3Storage.moveIn(createKey(), writeLocalFile(largeContent))).rejects.toThrow("answers 403");
    await s3Storage.removeUnfinishedUploads(new Date(Date.now() - 3_600_000));
    expect(s3.bucket.uploads.size, "a recent upload may be in use").toBe(1);
    const [upload] = s3.bucket.uploads.values();
    upload!.startedAt = new Date(Date.now() - 7_200_000);
    await s3Storage.removeUnfinishedUploads(new Date(Date.now() - 3_600_000));
    expect(s3.bucket.uploads.size).toBe(0);
  });

  it("that fails to join the parts with status 200 has not stored the file", async () => {
    const key = createKey();
    s3.faults.push({ match: /POST .*uploadId/, response: 200, times: 3 });
    await expect(s3Storage.moveIn(key, writeLocalFile(largeContent))).rejects.toThrow("did not join");
    expect(await s3Storage.read(key)).toBe(undefined);
    expect(s3.bucket.uploads.size).toBe(0);
  });

  it("that joins the parts with another response body has stored the file", async () => {
    const key = createKey();
    s3.faults.push({
      match: /POST .*uploadId/,
      response: ({ body, ...response }) => ({
        ...response,
        body: String(body).replaceAll("UploadResult", "UploadResponse"),
      }),
    });
    await s3Storage.moveIn(key, writeLocalFile(largeContent));
    expect((await readContent(s3Storage, key)).equals(largeContent)).toBe(true);
  });

  it("that cannot list unfinished uploads is not swept", async () => {
    s3.faults.push({ match: /GET .*uploads/, response: 501 });
    const callCountBefore = s3.calls.length;
    await s3Storage.removeUnfinishedUploads(new Date());
    expect(s3.calls.slice(callCountBefore)).toHaveLength(1);
  });

  it("that sends more than the requested range is rejected", async () => {
    const key = createKey();
    await writeFile(s3Storage, key, smallContent);
    s3.faults.push({
      match: /GET/,
      response: (response) => ({
        ...response,
        headers: { "content-range": "bytes 0-4/5" },
        body: smallContent,
      }),
    });
    await expect(readContent(s3Storage, key, { start: 0, end: 0 })).rejects.toThrow("does not send ranges");
  });

  it("that cuts off a download is asked for the rest, at most twice", async () => {
    const key = createKey();
    await writeFile(s3Storage, key, largeContent);
    s3.faults.push({ match: /GET/, response: "cut", times: 2 });
    const callCountBefore = s3.calls.length;
    expect((await readContent(s3Storage, key)).equals(largeContent)).toBe(true);
    expect(s3.calls.slice(callCountBefore).filter((call) => call.startsWith("GET"))).toHaveLength(3);
    s3.faults.push({ match: /GET/, response: "cut", times: 3 });
    await expect(readContent(s3Storage, key)).rejects.toThrow(StorageError);
  });

  it("that hangs times out for every call", async () => {
    const key = createKey();
    await writeFile(s3Storage, key, smallContent);
    overrideSettings({ S3_TIMEOUT: "1" });
    onTestFinished(() => overrideSettings({ S3_TIMEOUT: "30" }));
    s3.faults.push({ match: /./, response: "hang", times: 100 });
    const calls = [
      writeFile(s3Storage, createKey(), smallContent),
      s3Storage.moveIn(createKey(), writeLocalFile(largeContent)),
      s3Storage.read(key),
      s3Storage.remove(key),
      s3Storage.list("exports"),
      s3Storage.checkAccess(),
    ];
    for (const result of await Promise.allSettled(calls))
      expect(String((result as PromiseRejectedResult).reason)).toMatch(
        /StorageError: The bucket does not answer: UND_ERR_/,
      );
    s3.faults.length = 0;
    expect(String(await readContent(s3Storage, key))).toBe("small");
  });

  it("lists more files than fit in one page", async () => {
    for (let index = 0; index < 2100; index++)
      s3.bucket.files.set(`receipts/r${String(index).padStart(4, "0")}.pdf`, {
        bytes: smallContent,
        changedAt: new Date(),
      });
    expect(await s3Storage.list("receipts")).toHaveLength(2100);
  });

  it("rejects a wrong key and unsigned requests", async () => {
    const { accessKeyId } = s3.bucket;
    onTestFinished(() => {
      s3.bucket.accessKeyId = accessKeyId;
    });
    s3.bucket.accessKeyId = "AKIDOTHER";
    await expect(s3Storage.checkAccess()).rejects.toThrow("The bucket answers 403: SignatureDoesNotMatch");
    await expect(writeFile(s3Storage, createKey(), smallContent)).rejects.toThrow("403");
    s3.bucket.accessKeyId = accessKeyId;
    expect((await fetch(`${s3.env.S3_ENDPOINT}/${s3.bucket.name}/exports/file1.zip`)).status).toBe(403);
  });

  it("that does not exist or redirects is a permanent error", async () => {
    const { name } = s3.bucket;
    onTestFinished(() => {
      s3.bucket.name = name;
    });
    s3.bucket.name = "another";
    await expect(s3Storage.checkAccess()).rejects.toMatchObject({
      isPermanent: true,
      message: "There is no such bucket",
    });
    s3.bucket.name = name;
    s3.faults.push({ match: /./, response: 307 });
    await expect(s3Storage.checkAccess()).rejects.toMatchObject({ isPermanent: true });
  });

  it("that denies access stops a start with a message; an unreachable one does not", async () => {
    const settings = env();
    const stdout = vi.spyOn(process.stdout, "write").mockReturnValue(true);
    onTestFinished(() => stdout.mockRestore());
    await checkBucket(settings);
    s3.faults.push({ match: /./, response: 403 });
    await expect(checkBucket(settings)).rejects.toThrow(
      "S3_BUCKET: tellal-files cannot be used. The bucket answers 403",
    );
    s3.faults.push({ match: /./, response: "reset" });
    await checkBucket(settings);
    expect(String(stdout.mock.lastCall![0])).toContain("tellal-files cannot be reached yet");
  });

  it("receives at most four large files at a time", async () => {
    let [running, maxRunning] = [0, 0];
    s3.beforeCall = async (call) => {
      if (/POST .*uploads/.test(call)) maxRunning = Math.max(maxRunning, ++running);
      if (/POST .*uploadId/.test(call)) running--;
    };
    const part = randomBytes(9 * MB);
    await Promise.all(Array.from({ length: 20 }, () => s3Storage.moveIn(createKey(), writeLocalFile(part))));
    expect({ most: maxRunning, running }).toEqual({ most: 4, running: 0 });
  });
});
