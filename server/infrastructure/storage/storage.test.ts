import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { afterAll, afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { env } from "@/server/core/env";
import { openS3 } from "@/server/testing/s3";
import { overrideSettings } from "@/server/testing/settings";
import { type Driver, StorageError } from "./driver";
import { localStorage } from "./local";
import { s3Storage } from "./s3";
import { checkBucket } from "./start";

const MB = 1024 * 1024;
const dataDir = mkdtempSync(join(tmpdir(), "tellal-storage-"));
const s3 = await openS3();
overrideSettings({ DATA_DIR: dataDir, ...s3.env });
afterAll(async () => {
  await s3.close();
  rmSync(dataDir, { recursive: true });
});
afterEach(() => {
  s3.faults.length = 0;
  s3.pause = undefined;
});

let count = 0;
const newKey = (folder = "exports") => `${folder}/file${++count}.zip`;
const arrived = (bytes: Buffer) => {
  const path = join(dataDir, `arrived${++count}`);
  writeFileSync(path, bytes);
  return path;
};
const put = (files: Driver, key: string, bytes: Buffer) => files.write(key, Readable.from([bytes]));
const got = async (files: Driver, key: string, range?: { start: number; end: number }) =>
  buffer((await files.read(key))!.open(range));

describe.each([
  ["the data directory", localStorage],
  ["a bucket", s3Storage],
])("files in %s", (_, files: Driver) => {
  it.each([0, 1, 8 * MB, 8 * MB + 1, 20 * MB])("of %i bytes are read as they were written", async (size) => {
    const [written, adopted, bytes] = [newKey(), newKey(), randomBytes(size)];
    const pieces = Array.from({ length: Math.ceil(size / 700_000) }, (_, at) =>
      bytes.subarray(at * 700_000, (at + 1) * 700_000),
    );
    expect(await files.write(written, Readable.from(pieces))).toBe(size);
    const path = arrived(bytes);
    await files.adopt(adopted, path);
    expect(() => statSync(path)).toThrow("ENOENT");
    for (const key of [written, adopted]) {
      expect((await files.read(key))!.size).toBe(size);
      expect((await got(files, key)).equals(bytes)).toBe(true);
    }
  });

  it("give ranges, both ends included", async () => {
    const [key, bytes] = [newKey(), randomBytes(9 * MB)];
    await put(files, key, bytes);
    for (const [start, end] of [
      [0, 0],
      [5, 9],
      [8 * MB - 1, 8 * MB + 1],
      [9 * MB - 1, 9 * MB - 1],
    ] as const)
      expect((await got(files, key, { start, end })).equals(bytes.subarray(start, end + 1))).toBe(true);
  });

  it("are replaced, removed and missed without a fault", async () => {
    const key = newKey();
    expect(await files.read(key)).toBeUndefined();
    await put(files, key, Buffer.from("one"));
    await put(files, key, Buffer.from("two"));
    expect(String(await got(files, key))).toBe("two");
    await files.remove(key);
    await files.remove(key);
    expect(await files.read(key)).toBeUndefined();
  });

  it("are listed by folder, with the time of their last change", async () => {
    const before = Date.now() - 2000;
    const folder = `media/files/${(++count % 256).toString(16).padStart(2, "0")}`;
    const keys = [newKey(folder), newKey(folder)].sort();
    for (const key of [...keys, newKey("media/files")]) await put(files, key, Buffer.from("x"));
    const found = await files.list(folder);
    expect(found.map(({ key }) => key).sort()).toEqual(keys);
    for (const { changedAt } of found) expect(changedAt.getTime()).toBeGreaterThan(before);
    expect(await files.list("media/none")).toEqual([]);
  });

  it("have no name that leads elsewhere", async () => {
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

  it("that break off while they arrive are not there, nor what came of them", async () => {
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

  it("can be written", () => files.check());

  it("name the same place to all processes that share them", async () => {
    const first = await files.place();
    expect(await files.place()).toBe(first);
  });
});

it("two data directories are two places", async () => {
  const first = await localStorage.place();
  const elsewhere = mkdtempSync(join(tmpdir(), "tellal-storage-"));
  overrideSettings({ DATA_DIR: elsewhere });
  onTestFinished(() => {
    overrideSettings({ DATA_DIR: dataDir });
    rmSync(elsewhere, { recursive: true });
  });
  expect(await localStorage.place()).not.toBe(first);
});

describe("a bucket", () => {
  const file = randomBytes(20 * MB);
  const small = Buffer.from("small");

  it.each([
    ["resets one connection", "reset"],
    ["is busy once", 503],
    ["fails once", 500],
    ["loses one answer", "lost"],
  ] as const)("that %s is asked again", async (_, instead) => {
    const [one, many] = [newKey(), newKey()];
    for (const match of [
      /PUT .*(?<!\d)$/,
      /POST .*uploads/,
      /partNumber=2/,
      /POST .*uploadId/,
      /HEAD/,
      /GET .*zip/,
    ])
      s3.faults.push({ match, instead });
    await put(s3Storage, one, small);
    await s3Storage.adopt(many, arrived(file));
    expect((await got(s3Storage, many)).equals(file)).toBe(true);
    s3.faults.push({ match: /DELETE/, instead }, { match: /list-type/, instead });
    await s3Storage.remove(one);
    expect((await s3Storage.list("exports")).map(({ key }) => key)).not.toContain(one);
    expect(s3.faults).toEqual([]);
    // An upload whose beginning was not heard of is for the sweep.
    await s3Storage.sweepUnfinished(new Date(Date.now() + 1000));
    expect(s3.bucket.uploads.size).toBe(0);
  });

  it.each([
    ["beginning", /POST .*uploads/],
    ["part", /partNumber=2/],
    ["end", /POST .*uploadId/],
  ])(
    "that refuses the %s of a large file keeps nothing of it, and says what it answered",
    async (_, match) => {
      const key = newKey();
      s3.faults.push({ match, instead: 403 });
      const path = arrived(file);
      const failure = await s3Storage.adopt(key, path).catch((error) => error);
      expect(failure instanceof StorageError).toBe(true);
      expect(failure.refused).toBe(true);
      expect(failure.message).toEqual(expect.stringContaining("The bucket answers 403"));
      expect(await s3Storage.read(key)).toBe(undefined);
      expect(s3.bucket.uploads.size).toBe(0);
      expect(statSync(path).size, "a file that was not taken over stays").toBe(file.length);
    },
  );

  it("whose refusal to give up an upload comes second is told of by the first", async () => {
    s3.faults.push({ match: /partNumber=1/, instead: 403 }, { match: /DELETE/, instead: 401 });
    await expect(s3Storage.adopt(newKey(), arrived(file))).rejects.toThrow("answers 403");
    await s3Storage.sweepUnfinished(new Date(Date.now() - 3_600_000));
    expect(s3.bucket.uploads.size, "a young one may be somebody's").toBe(1);
    const [upload] = s3.bucket.uploads.values();
    upload!.begunAt = new Date(Date.now() - 7_200_000);
    await s3Storage.sweepUnfinished(new Date(Date.now() - 3_600_000));
    expect(s3.bucket.uploads.size).toBe(0);
  });

  it("that does not join the parts, and says so with status 200, has not stored the file", async () => {
    const key = newKey();
    s3.faults.push({ match: /POST .*uploadId/, instead: 200, times: 3 });
    await expect(s3Storage.adopt(key, arrived(file))).rejects.toThrow("did not join");
    expect(await s3Storage.read(key)).toBe(undefined);
    expect(s3.bucket.uploads.size).toBe(0);
  });

  it("that joins the parts and says so in words of its own has stored the file", async () => {
    const key = newKey();
    s3.faults.push({
      match: /POST .*uploadId/,
      instead: ({ body, ...answer }) => ({
        ...answer,
        body: String(body).replaceAll("UploadResult", "UploadResponse"),
      }),
    });
    await s3Storage.adopt(key, arrived(file));
    expect((await got(s3Storage, key)).equals(file)).toBe(true);
  });

  it("that cannot list what is unfinished is left to its own rule", async () => {
    s3.faults.push({ match: /GET .*uploads/, instead: 501 });
    const before = s3.calls.length;
    await s3Storage.sweepUnfinished(new Date());
    expect(s3.calls.slice(before)).toHaveLength(1);
  });

  it("that sends more than was asked for is not believed", async () => {
    const key = newKey();
    await put(s3Storage, key, small);
    s3.faults.push({
      match: /GET/,
      instead: (answer) => ({ ...answer, headers: { "content-range": "bytes 0-4/5" }, body: small }),
    });
    await expect(got(s3Storage, key, { start: 0, end: 0 })).rejects.toThrow("does not send ranges");
  });

  it("that cuts a download off is asked for the rest, and in the end the reader hears of it", async () => {
    const key = newKey();
    await put(s3Storage, key, file);
    s3.faults.push({ match: /GET/, instead: "cut", times: 2 });
    const before = s3.calls.length;
    expect((await got(s3Storage, key)).equals(file)).toBe(true);
    expect(s3.calls.slice(before).filter((call) => call.startsWith("GET"))).toHaveLength(3);
    s3.faults.push({ match: /GET/, instead: "cut", times: 3 });
    await expect(got(s3Storage, key)).rejects.toThrow(StorageError);
  });

  it("that hangs is left after its time, whatever was asked", async () => {
    const key = newKey();
    await put(s3Storage, key, small);
    overrideSettings({ S3_TIMEOUT: "1" });
    onTestFinished(() => overrideSettings({ S3_TIMEOUT: "30" }));
    s3.faults.push({ match: /./, instead: "hang", times: 100 });
    const calls = [
      put(s3Storage, newKey(), small),
      s3Storage.adopt(newKey(), arrived(file)),
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
    expect(String(await got(s3Storage, key))).toBe("small");
  });

  it("lists more files than a page of it holds", async () => {
    for (let at = 0; at < 2100; at++)
      s3.bucket.files.set(`receipts/r${String(at).padStart(4, "0")}.pdf`, {
        bytes: small,
        changedAt: new Date(),
      });
    expect(await s3Storage.list("receipts")).toHaveLength(2100);
  });

  it("is not let into with a wrong key, and never asked without a signature", async () => {
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

  it("that is not there, or is elsewhere, is a refusal", async () => {
    const { name } = s3.bucket;
    onTestFinished(() => {
      s3.bucket.name = name;
    });
    s3.bucket.name = "another";
    await expect(s3Storage.check()).rejects.toMatchObject({
      refused: true,
      message: "There is no such bucket",
    });
    s3.bucket.name = name;
    s3.faults.push({ match: /./, instead: 307 });
    await expect(s3Storage.check()).rejects.toMatchObject({ refused: true });
  });

  it("that refuses us stops a start in words; one that is away does not", async () => {
    const settings = env();
    const said = vi.spyOn(process.stdout, "write").mockReturnValue(true);
    onTestFinished(() => said.mockRestore());
    await checkBucket(settings);
    s3.faults.push({ match: /./, instead: 403 });
    await expect(checkBucket(settings)).rejects.toThrow(
      "S3_BUCKET: tellal-files cannot be used. The bucket answers 403",
    );
    s3.faults.push({ match: /./, instead: "reset" });
    await checkBucket(settings);
    expect(String(said.mock.lastCall![0])).toContain("tellal-files cannot be reached yet");
  });

  it("is not flooded: of twenty large files four are on their way at once", async () => {
    let [running, most] = [0, 0];
    s3.pause = async (call) => {
      if (/POST .*uploads/.test(call)) most = Math.max(most, ++running);
      if (/POST .*uploadId/.test(call)) running--;
    };
    const part = randomBytes(9 * MB);
    await Promise.all(Array.from({ length: 20 }, () => s3Storage.adopt(newKey(), arrived(part))));
    expect({ most, running }).toEqual({ most: 4, running: 0 });
  });
});
