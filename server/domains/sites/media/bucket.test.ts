import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, expect, it } from "vitest";
import { prisma } from "@/server/infrastructure/database/client";
import { makeToken, makeUser } from "@/server/testing/factories";
import { sendHttp } from "@/server/testing/http";
import { buildMultipartForm } from "@/server/testing/multipart";
import { openFakeS3 } from "@/server/testing/s3";
import { startTestServer } from "@/server/testing/server";
import { sweepMediaJob } from "./jobs";

const s3 = await openFakeS3();
afterAll(() => s3.close());
afterEach(() => {
  s3.faults.length = 0;
});
const { call, get, port, runJobs } = await startTestServer({ env: s3.env });
const readSample = (name: string) => readFile(join(import.meta.dirname, "../../../testing/media", name));
const upload = (token: string, bytes: Uint8Array, filename: string) =>
  call("POST", "/api/media/upload", { token, ...buildMultipartForm([{ bytes, filename }]) });
const listSpoolFiles = () => readdir(join(process.env.DATA_DIR!, "spool"));
const fetchByPath = (url: string, headers = {}) => sendHttp(port, "GET", new URL(url).pathname, { headers });

async function makeAccount() {
  const { id } = await makeUser({ locale: "en" });
  return { id, token: await makeToken(id) };
}

function makePdf(size: number): Buffer {
  const bytes = Buffer.alloc(size, 32);
  bytes.write("%PDF-1.4\n");
  bytes.write("%%EOF", size - 6);
  return bytes;
}

it("stores files in the bucket, serves them in ranges and deletes them", async () => {
  const { token } = await makeAccount();
  for (const [name, bytes] of [
    ["photo.jpg", await readSample("photo.jpg")],
    ["film.mp4", await readSample("film.mp4")],
    ["large.pdf", makePdf(20 * 1024 * 1024)],
  ] as const) {
    const { status, json } = await upload(token, bytes, name);
    expect(status).toBe(201);
    const response = await fetchByPath(json.url);
    expect({ status: response.status, length: response.bytes!.length }).toEqual({
      status: 200,
      length: json.media.size,
    });
    if (name !== "photo.jpg") expect(response.bytes!.equals(bytes)).toBe(true);
    const rangeResponse = await fetchByPath(json.url, { range: "bytes=10-19" });
    expect({ status: rangeResponse.status, bytes: rangeResponse.bytes }).toEqual({
      status: 206,
      bytes: response.bytes!.subarray(10, 20),
    });
    if (json.media.preview_url) expect((await fetchByPath(json.media.preview_url)).status).toBe(200);
    expect((await call("DELETE", `/api/media/${json.media.id}`, { token })).status).toBe(200);
    await runJobs();
    expect((await fetchByPath(json.url)).status).toBe(404);
  }
  expect(s3.bucket.files.size).toBe(0);
  expect(await listSpoolFiles()).toEqual([]);
});

it("keeps an avatar in the bucket until it is deleted", async () => {
  const { token } = await makeAccount();
  const file = buildMultipartForm([{ bytes: await readSample("photo.jpg"), filename: "me.jpg" }]);
  const { status, json } = await call("POST", "/api/user/avatar", { token, ...file });
  expect(status, JSON.stringify(json)).toBe(200);
  expect((await fetchByPath(json.avatar_url)).status).toBe(200);
  expect([...s3.bucket.files.keys()]).toEqual([new URL(json.avatar_url).pathname.slice(1)]);
  expect((await call("DELETE", "/api/user/avatar", { token })).status).toBe(200);
  await runJobs();
  expect(s3.bucket.files.size).toBe(0);
});

it("responds 503 to uploads while the bucket is unreachable; other operations work", async () => {
  const { id, token } = await makeAccount();
  const { json } = await upload(token, await readSample("film.mp4"), "film.mp4");
  s3.faults.push({ match: /./, response: 503, times: 1000 });
  const refusal = await upload(token, makePdf(9 * 1024 * 1024), "large.pdf");
  expect(refusal).toMatchObject({
    status: 503,
    json: { message: "Service Unavailable: files cannot be stored or read right now." },
  });
  expect(refusal.headers["retry-after"]).toBe("10");
  expect((await fetchByPath(json.url)).status).toBe(503);
  const health = await get("/api/health");
  expect({ status: health.status, storage: health.json.checks.storage }).toEqual({
    status: 503,
    storage: { ok: false, detail: "the bucket does not answer" },
  });
  expect((await get("/api/media", token)).json.count).toBe(1);
  s3.faults.length = 0;
  s3.faults.push({ match: /./, response: 403, times: 1000 });
  expect((await get("/api/health")).json.checks.storage.detail).toBe("the bucket refuses us");
  s3.faults.length = 0;
  expect((await get("/api/health")).json.checks.storage.detail).toBe("writable, files in a bucket");
  expect((await fetchByPath(json.url)).status).toBe(200);
  expect(await prisma().mediaFile.count({ where: { userId: id } })).toBe(1);
  expect(s3.bucket.uploads.size).toBe(0);
  expect(await listSpoolFiles()).toEqual([]);
});

it("responds 404 to a file deleted before its first byte is sent, 503 to one that cannot be read", async () => {
  const { token } = await makeAccount();
  const { json } = await upload(token, await readSample("film.mp4"), "film.mp4");
  s3.faults.push({ match: /GET .*media\/files/, response: 403 });
  expect((await fetchByPath(json.url)).status).toBe(503);
  s3.beforeResponse = async (requestLine) => {
    if (requestLine.startsWith("HEAD")) s3.bucket.files.clear();
  };
  expect((await fetchByPath(json.url)).status).toBe(404);
  s3.beforeResponse = undefined;
});

it("removes the file if the row is refused, keeps it if the commit's result is unknown", async () => {
  const { id, token } = await makeAccount();
  const keysBefore = [...s3.bucket.files.keys()];
  // Default of MEDIA_QUOTA_MB.
  const quotaBytes = 2048 * 1_048_576;
  await prisma().mediaUsage.create({ data: { userId: id, bytes: quotaBytes - 1 } });
  expect((await upload(token, await readSample("photo.jpg"), "a.jpg")).status).toBe(422);
  expect([...s3.bucket.files.keys()]).toEqual(keysBefore);
  await prisma().mediaUsage.update({ where: { userId: id }, data: { bytes: 0 } });

  const client = prisma();
  const originalTransaction = client.$transaction;
  const loseCommit = (work: typeof originalTransaction) => {
    client.$transaction = (async (...args: []) => {
      await Reflect.apply(work, client, args);
      throw new Error("Connection terminated unexpectedly");
    }) as typeof originalTransaction;
  };
  loseCommit(originalTransaction);
  const response = await upload(token, await readSample("film.mp4"), "film.mp4");
  client.$transaction = originalTransaction;
  expect(response.status).toBe(503);
  const { media } = (await get("/api/media", token)).json;
  expect(media).toHaveLength(1);
  expect((await fetchByPath(media[0].url)).status).toBe(200);

  loseCommit((() => Promise.resolve()) as unknown as typeof originalTransaction);
  expect((await upload(token, await readSample("note.ogg"), "note.ogg")).status).toBe(503);
  client.$transaction = originalTransaction;
  const [orphanKey] = [...s3.bucket.files.keys()].filter((key) => key.endsWith(".ogg"));
  const folder = Number.parseInt(orphanKey!.split("/")[2]!, 16);
  await sweepMediaJob({ folder });
  expect(s3.bucket.files.has(orphanKey!), "it may still get its row").toBe(true);
  s3.bucket.files.get(orphanKey!)!.changedAt = new Date(Date.now() - 2 * 3_600_000);
  await sweepMediaJob({ folder });
  expect(s3.bucket.files.has(orphanKey!)).toBe(false);
  expect((await fetchByPath(media[0].url)).status).toBe(200);
});
