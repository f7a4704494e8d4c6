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
import { type Driver, StorageError } from "./driver";
import { localStorage } from "./local";
import { s3Storage } from "./s3";
import { checkBucket } from "./start";

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

let count = 0;
const newKey = (folder = "exports") => `${folder}/file${++count}.zip`;
const localFile = (bytes: Buffer) => {
  const path = join(dataDir, `arrived${++count}`);
  writeFileSync(path, bytes);
  return path;
};
const put = (files: Driver, key: string, bytes: Buffer) => files.write(key, Readable.from([bytes]));
const contentOf = async (files: Driver, key: string, range?: { start: number; end: number }) =>
  buffer((await files.read(key))!.open(range));

describe.each([
  ["the data directory", localStorage],
  ["a bucket", s3Storage],
])("files in %s", (_, files: Driver) => {
  it.each([0, 1, 8 * MB, 8 * MB + 1, 20 * MB])("of %i bytes are read unchanged", async (size) => {
    const [written, adopted, bytes] = [newKey(), newKey(), randomBytes(size)];
    const pieces = Array.from({ length: Math.ceil(size / 700_000) }, (_, at) =>
      bytes.subarray(at * 700_000, (at + 1) * 700_000),
    );
    expect(await files.write(written, Readable.from(pieces))).toBe(size);
    const path = localFile(bytes);
    await files.adopt(adopted, path);
    expect(() => statSync(path)).toThrow("ENOENT");
    for (const key of [written, adopted]) {
      expect((await files.read(key))!.size).toBe(size);
      expect((await contentOf(files, key)).equals(bytes)).toBe(true);
    }
  });

  it("support ranges with both ends inclusive", async () => {
    const [key, bytes] = [newKey(), randomBytes(9 * MB)];
    await put(files, key, bytes);
    for (const [start, end] of [
      [0, 0],
      [5, 9],
      [8 * MB - 1, 8 * MB + 1],
      [9 * MB - 1, 9 * MB - 1],
    ] as const)
      expect((await contentOf(files, key, { start, end })).equals(bytes.subarray(start, end + 1))).toBe(true);
  });

  it("can be replaced, removed and missing without an error", async () => {
    const key = newKey();
    expect(await files.read(key)).toBeUndefined();
    await put(files, key, Buffer.from("one"));
    await put(files, key, Buffer.from("two"));
    expect(String(await contentOf(files, key))).toBe("two");
    await files.remove(key);
    await files.remove(key);
    expect(await files.read(key)).toBeUndefined();
  });

  it("are listed by folder with their modification time", async () => {
    const before = Date.now() - 2000;
    const folder = `media/files/${(++count % 256).toString(16).padStart(2, "0")}`;
    const keys = [newKey(folder), newKey(folder)].sort();
    for (const key of [...keys, newKey("media/files")]) await put(files, key, Buffer.from("x"));
    const listed = await files.list(folder);
    expect(listed.map(({ key }) => key).sort()).toEqual(keys);
    for (const { changedAt } of listed) expect(changedAt.getTime()).toBeGreaterThan(before);
    expect(await files.list("media/none")).toEqual([]);
  });

  it("reject keys with path traversal", async () => {
    for (const wrong of [
      "../a.zip",
      "exports/../a.zip",
      "/exports/a.zip",
      "exports/a",
      "a.zip",
      "exports/a b.zip",
    ]) {
      await expect(async () => files.read(wrong)).rejects.toThrow("No key");
      await expect(async () => files.remove(wrong)).rejects.toThrow("No key");
      await expect(async () => put(files, wrong, Buffer.from("x"))).rejects.toThrow("No key");
    }
    await expect(async () => files.list("../")).rejects.toThrow("No folder");
  });

  it("are not stored if the upload breaks off", async () => {
    const key = newKey("exports");
    async function* broken() {
      for (let at = 0; at < 3; at++) yield randomBytes(4 * MB);
      throw new Error("the sender went away");
    }
    await expect(files.write(key, Readable.from(broken()))).rejects.toThrow("the sender went away");
    expect(await files.read(key)).toBeUndefined();
    expect((await files.list("exports")).filter((each) => each.key.startsWith(key))).toEqual([]);
    expect(s3.bucket.uploads.size).toBe(0);
  });

  it("pass the check", () => files.check());

  it("identify the storage for all processes that share it", async () => {
    const first = await files.storageId();
    expect(await files.storageId()).toBe(first);
  });
});

it("identifies two data directories as different storages", async () => {
  const first = await localStorage.storageId();
  const elsewhere = mkdtempSync(join(tmpdir(), "tellal-storage-"));
  overrideSettings({ DATA_DIR: elsewhere });
  onTestFinished(() => {
    overrideSettings({ DATA_DIR: dataDir });
    rmSync(elsewhere, { recursive: true });
  });
  expect(await localStorage.storageId()).not.toBe(first);
});

describe("a bucket", () => {
  const file = randomBytes(20 * MB);
  const small = Buffer.from("small");

  it.each([
    ["resets one connection", "reset"],
    ["is busy once", 503],
    ["fails once", 500],
    ["loses one response", "lost"],
  ] as const)("that %s is retried", async (_, instead) => {
    const [one, many] = [newKey(), newKey()];
    for (const match of [
      /PUT .*(?<!\d)$/,
      /POST .*uploads/,
      /partNumber=2/,
      /POST .*uploadId/,
      /HEAD/,
      /GET .*zip/,
    ])
      s3.faults.push({ match, response: instead });
    await put(s3Storage, one, small);
    await s3Storage.adopt(many, localFile(file));
    expect((await contentOf(s3Storage, many)).equals(file)).toBe(true);
    s3.faults.push({ match: /DELETE/, response: instead }, { match: /list-type/, response: instead });
    await s3Storage.remove(one);
    expect((await s3Storage.list("exports")).map(({ key }) => key)).not.toContain(one);
    expect(s3.faults).toEqual([]);
    // The sweep removes an upload whose initial response was lost.
    await s3Storage.sweepUnfinished(new Date(Date.now() + 1000));
    expect(s3.bucket.uploads.size).toBe(0);
  });

  it.each([
    ["beginning", /POST .*uploads/],
    ["part", /partNumber=2/],
    ["end", /POST .*uploadId/],
  ])("that rejects the %s of a large file stores nothing and reports its response", async (_, match) => {
    const key = newKey();
    s3.faults.push({ match, response: 403 });
    const path = localFile(file);
    const failure = await s3Storage.adopt(key, path).catch((error) => error);
    expect(failure instanceof StorageError).toBe(true);
    expect(failure.isPermanent).toBe(true);
    expect(failure.message).toEqual(expect.stringContaining("The bucket answers 403"));
    expect(await s3Storage.read(key)).toBe(undefined);
    expect(s3.bucket.uploads.size).toBe(0);
    expect(statSync(path).size, "the local file is kept").toBe(file.length);
  });

  it("reports the first error if aborting an upload fails, too", async () => {
    s3.faults.push({ match: /partNumber=1/, response: 403 }, { match: /DELETE/, response: 401 });
    await expect(s3Storage.adopt(newKey(), localFile(file))).rejects.toThrow("answers 403");
    await s3Storage.sweepUnfinished(new Date(Date.now() - 3_600_000));
    expect(s3.bucket.uploads.size, "a recent upload may be in use").toBe(1);
    const [upload] = s3.bucket.uploads.values();
    upload!.startedAt = new Date(Date.now() - 7_200_000);
    await s3Storage.sweepUnfinished(new Date(Date.now() - 3_600_000));
    expect(s3.bucket.uploads.size).toBe(0);
  });

  it("that fails to join the parts with status 200 has not stored the file", async () => {
    const key = newKey();
    s3.faults.push({ match: /POST .*uploadId/, response: 200, times: 3 });
    await expect(s3Storage.adopt(key, localFile(file))).rejects.toThrow("did not join");
    expect(await s3Storage.read(key)).toBe(undefined);
    expect(s3.bucket.uploads.size).toBe(0);
  });

  it("that joins the parts with another response body has stored the file", async () => {
    const key = newKey();
    s3.faults.push({
      match: /POST .*uploadId/,
      response: ({ body, ...response }) => ({
        ...response,
        body: String(body).replaceAll("UploadResult", "UploadResponse"),
      }),
    });
    await s3Storage.adopt(key, localFile(file));
    expect((await contentOf(s3Storage, key)).equals(file)).toBe(true);
  });

  it("that cannot list unfinished uploads is not swept", async () => {
    s3.faults.push({ match: /GET .*uploads/, response: 501 });
    const before = s3.calls.length;
    await s3Storage.sweepUnfinished(new Date());
    expect(s3.calls.slice(before)).toHaveLength(1);
  });

  it("that sends more than the requested range is rejected", async () => {
    const key = newKey();
    await put(s3Storage, key, small);
    s3.faults.push({
      match: /GET/,
      response: (response) => ({ ...response, headers: { "content-range": "bytes 0-4/5" }, body: small }),
    });
    await expect(contentOf(s3Storage, key, { start: 0, end: 0 })).rejects.toThrow("does not send ranges");
  });

  it("that cuts off a download is asked for the rest, at most twice", async () => {
    const key = newKey();
    await put(s3Storage, key, file);
    s3.faults.push({ match: /GET/, response: "cut", times: 2 });
    const before = s3.calls.length;
    expect((await contentOf(s3Storage, key)).equals(file)).toBe(true);
    expect(s3.calls.slice(before).filter((call) => call.startsWith("GET"))).toHaveLength(3);
    s3.faults.push({ match: /GET/, response: "cut", times: 3 });
    await expect(contentOf(s3Storage, key)).rejects.toThrow(StorageError);
  });

  it("that hangs times out for every call", async () => {
    const key = newKey();
    await put(s3Storage, key, small);
    overrideSettings({ S3_TIMEOUT: "1" });
    onTestFinished(() => overrideSettings({ S3_TIMEOUT: "30" }));
    s3.faults.push({ match: /./, response: "hang", times: 100 });
    const calls = [
      put(s3Storage, newKey(), small),
      s3Storage.adopt(newKey(), localFile(file)),
      s3Storage.read(key),
      s3Storage.remove(key),
      s3Storage.list("exports"),
      s3Storage.check(),
    ];
    for (const result of await Promise.allSettled(calls))
      expect(String((result as PromiseRejectedResult).reason)).toMatch(
        /StorageError: The bucket does not answer: UND_ERR_/,
      );
    s3.faults.length = 0;
    expect(String(await contentOf(s3Storage, key))).toBe("small");
  });

  it("lists more files than fit in one page", async () => {
    for (let at = 0; at < 2100; at++)
      s3.bucket.files.set(`receipts/r${String(at).padStart(4, "0")}.pdf`, {
        bytes: small,
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
    await expect(s3Storage.check()).rejects.toThrow("The bucket answers 403: SignatureDoesNotMatch");
    await expect(put(s3Storage, newKey(), small)).rejects.toThrow("403");
    s3.bucket.accessKeyId = accessKeyId;
    expect((await fetch(`${s3.env.S3_ENDPOINT}/${s3.bucket.name}/exports/file1.zip`)).status).toBe(403);
  });

  it("that does not exist or redirects is a permanent error", async () => {
    const { name } = s3.bucket;
    onTestFinished(() => {
      s3.bucket.name = name;
    });
    s3.bucket.name = "another";
    await expect(s3Storage.check()).rejects.toMatchObject({
      isPermanent: true,
      message: "There is no such bucket",
    });
    s3.bucket.name = name;
    s3.faults.push({ match: /./, response: 307 });
    await expect(s3Storage.check()).rejects.toMatchObject({ isPermanent: true });
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
    let [running, most] = [0, 0];
    s3.beforeCall = async (call) => {
      if (/POST .*uploads/.test(call)) most = Math.max(most, ++running);
      if (/POST .*uploadId/.test(call)) running--;
    };
    const part = randomBytes(9 * MB);
    await Promise.all(Array.from({ length: 20 }, () => s3Storage.adopt(newKey(), localFile(part))));
    expect({ most, running }).toEqual({ most: 4, running: 0 });
  });
});
