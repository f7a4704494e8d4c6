import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync, utimesSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { Client } from "pg";
import { type FakeS3, openFakeS3 } from "@/server/testing/s3";
import { ServerProcess } from "../server-process";

const MEGABYTE = 1024 * 1024;
const CREDENTIALS = { email: "customer@example.com", password: "demo-password" };
/** A new secret, so that no prepared data is used: the demo's files must be in this bucket. */
const createSettings = (s3: FakeS3) => ({
  APP_SECRET: randomBytes(30).toString("hex"),
  WORKER: "off",
  ...s3.env,
});
const readSample = (name: string) => readFileSync(join("server/testing/media", name));

interface UploadResponse {
  avatar_url: string;
  url: string;
  media: { id: number; url: string };
}

async function signIn(server: ServerProcess): Promise<string> {
  return String((await server.call("POST", "/api/auth/login", { body: CREDENTIALS })).body.token);
}

async function uploadFile(
  server: ServerProcess,
  path: string,
  { token, name, bytes }: { token: string; name: string; bytes: Buffer },
) {
  const body = new FormData();
  body.set("file", new Blob([Uint8Array.from(bytes)]), name);
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(server.url + path, { method: "POST", headers, body });
  return { status: response.status, body: (await response.json()) as UploadResponse };
}

async function fetchFrom(server: ServerProcess, url: string, headers = {}): Promise<[number, Buffer]> {
  const { pathname, search } = new URL(url);
  const response = await fetch(server.url + pathname + search, { headers });
  return [response.status, Buffer.from(await response.arrayBuffer())];
}

/** Random document; above the part size, it is uploaded to S3 in parts. */
function createPdf(size: number): Buffer {
  const bytes = randomBytes(size);
  bytes.write("%PDF-1.4\n");
  bytes.write("%%EOF", size - 6);
  return bytes;
}

test("two servers and a worker that share only a database and a bucket serve the same files", async () => {
  const s3 = await openFakeS3();
  const commonSettings = createSettings(s3);
  const firstServer = await ServerProcess.create(commonSettings);
  let secondServer: ServerProcess | undefined;
  let worker: ChildProcess | undefined;
  try {
    await firstServer.start();
    const sharedSettings = { ...commonSettings, DATABASE_URL: firstServer.getDatabaseUrl() };
    secondServer = await ServerProcess.create(sharedSettings);
    const workerEnvironment = await ServerProcess.create(sharedSettings);
    await secondServer.start();
    worker = spawn(process.execPath, ["dist/worker.js"], { env: workerEnvironment.env, stdio: "ignore" });
    const token = await signIn(firstServer);

    const avatar = (
      await uploadFile(firstServer, "/api/user/avatar", {
        token,
        name: "me.jpg",
        bytes: readSample("photo.jpg"),
      })
    ).body;
    const [status, avatarBytes] = await fetchFrom(firstServer, avatar.avatar_url);
    expect([status, avatarBytes.length > 0]).toEqual([200, true]);
    expect(await fetchFrom(secondServer, avatar.avatar_url)).toEqual([200, avatarBytes]);

    const film = readSample("film.mp4");
    const { media } = (
      await uploadFile(secondServer, "/api/media/upload", { token, name: "film.mp4", bytes: film })
    ).body;
    for (const server of [firstServer, secondServer])
      expect(await fetchFrom(server, media.url)).toEqual([200, film]);
    expect(await fetchFrom(firstServer, media.url, { range: "bytes=100-199" })).toEqual([
      206,
      film.subarray(100, 200),
    ]);

    expect((await firstServer.call("POST", "/api/user/export", { token, body: {} })).status).toBe(201);
    const findExportLink = async () => {
      const { body } = await secondServer!.call("GET", `/api/dev/mailbox?to=${CREDENTIALS.email}`);
      const texts = (body.data as Array<{ text: string }>).map(({ text }) => text).join("\n");
      return /http\S+\/api\/user\/export\/\S+/.exec(texts)?.[0] ?? "";
    };
    await expect.poll(findExportLink).not.toBe("");
    const archive = await fetchFrom(firstServer, await findExportLink());
    expect([archive[0], archive[1].subarray(0, 2).toString()]).toEqual([200, "PK"]);
    expect(await fetchFrom(secondServer, await findExportLink())).toEqual(archive);

    expect((await firstServer.call("DELETE", `/api/media/${media.id}`, { token })).status).toBe(200);
    await expect.poll(async () => (await fetchFrom(secondServer!, media.url))[0]).toBe(404);
    for (const { dataDir } of [firstServer, secondServer, workerEnvironment])
      for (const folder of ["media", "exports"]) expect(existsSync(join(dataDir, folder))).toBe(false);
    expect([...s3.bucket.files.keys()].map((key) => key.split("/")[0]).sort()).toContain("exports");
    expect(
      (await fetch(`${s3.env.S3_ENDPOINT}/${s3.bucket.name}/${[...s3.bucket.files.keys()][0]}`)).status,
    ).toBe(403);
  } finally {
    worker?.kill("SIGKILL");
    await secondServer?.dispose();
    await firstServer.dispose();
    await s3.close();
  }
});

const getSpoolFolder = (server: ServerProcess) => join(server.dataDir, "spool");
const countSpooled = (server: ServerProcess) =>
  existsSync(getSpoolFolder(server)) ? readdirSync(getSpoolFolder(server)).length : 0;

/** Kills after a `share` of the upload, or before (`pause`) or after (`hold`) a call to the bucket. */
const KILL_POINTS = [
  { name: "while a file is uploaded", share: 0.5 },
  { name: "between two parts", pause: /partNumber=2/ },
  { name: "after the parts are joined, before the row is inserted", hold: /POST .*uploadId=/ },
  { name: "after the preview is stored, before the image", hold: /PUT .*previews/, picture: true },
  { name: "before a removed file is deleted", pause: /^DELETE .*media/, removal: true },
  { name: "after a removed file is deleted, before its job ends", hold: /^DELETE .*media/, removal: true },
];

test("SIGKILL at any step of a file's life loses no file, and the sweep removes orphans", async () => {
  test.setTimeout(600_000);
  const s3 = await openFakeS3();
  const server = await ServerProcess.create({ ...createSettings(s3), WORKER: "on" });
  const survivors: Array<{ url: string; bytes: Buffer }> = [];
  try {
    await server.start();
    for (const { name, share, pause, hold, picture, removal } of KILL_POINTS) {
      const token = await signIn(server);
      const bytes = createPdf(100_000);
      const upload = await uploadFile(server, "/api/media/upload", { token, name: "kept.pdf", bytes });
      expect(upload.status, name).toBe(201);
      survivors.push({ url: upload.body.url, bytes });
      const fileToDelete =
        removal && (await uploadFile(server, "/api/media/upload", { token, name: "gone.pdf", bytes })).body;

      let reportStep = () => {};
      const stepReached = new Promise<void>((resolve) => {
        reportStep = resolve;
      });
      const blockAt = (step?: RegExp) => async (call: string) => {
        if (!step?.test(call)) return;
        reportStep();
        await new Promise<never>(() => {});
      };
      s3.beforeCall = blockAt(pause);
      s3.beforeResponse = blockAt(hold);
      const pendingCall = fileToDelete
        ? server.call("DELETE", `/api/media/${fileToDelete.media.id}`, { token })
        : share
          ? uploadPartially(server, { token, share })
          : uploadFile(server, "/api/media/upload", {
              token,
              name: picture ? "lost.jpg" : "lost.pdf",
              bytes: picture ? readSample("photo.jpg") : createPdf(20 * MEGABYTE),
            });
      pendingCall.catch(() => {});
      if (share) await expect.poll(() => countSpooled(server)).toBe(1);
      else await stepReached;
      await server.killServerAndSupervisor();
      [s3.beforeCall, s3.beforeResponse] = [undefined, undefined];
      await server.start();
      if (fileToDelete)
        await expect
          .poll(async () => (await fetchFrom(server, fileToDelete.url))[0], { message: name })
          .toBe(404);
    }
    expect(countSpooled(server), "a partial upload is left").toBeGreaterThan(0);
    expect(s3.bucket.uploads.size).toBeGreaterThan(0);

    // The sweep skips files under one hour and unfinished uploads under six hours.
    const sevenHoursAgo = new Date(Date.now() - 7 * 3_600_000);
    for (const name of readdirSync(getSpoolFolder(server)))
      utimesSync(join(getSpoolFolder(server), name), sevenHoursAgo, sevenHoursAgo);
    for (const file of s3.bucket.files.values()) file.changedAt = sevenHoursAgo;
    for (const upload of s3.bucket.uploads.values()) upload.startedAt = sevenHoursAgo;
    const rows = await server.sql<{ key: string }>(
      "select unnest(array[file_key, preview_key]) as key from media_files",
    );
    const referencedKeys = rows.flatMap(({ key }) => key ?? []).sort();
    const listStoredKeys = () =>
      [...s3.bucket.files.keys()].filter((key) => /^media\/(files|previews)/.test(key)).sort();
    expect(listStoredKeys().length, "an orphan is left").toBeGreaterThan(referencedKeys.length);
    const folders = new Set(listStoredKeys().map((key) => Number.parseInt(key.split("/")[2]!, 16)));
    for (const folder of folders)
      await server.sql("select graphile_worker.add_job('sweep_media', $1::json)", [
        JSON.stringify({ folder }),
      ]);
    await expect.poll(listStoredKeys).toEqual(referencedKeys);
    await expect.poll(() => [countSpooled(server), s3.bucket.uploads.size]).toEqual([0, 0]);
    for (const { url, bytes } of survivors) expect(await fetchFrom(server, url)).toEqual([200, bytes]);
    const [mismatches] = await server.sql<{ count: string }>(
      `select count(*) from media_usage as held where (bytes, files) <>
         (select coalesce(sum(size), 0), count(*) from media_files where user_id = held.user_id)`,
    );
    expect(Number(mismatches!.count)).toBe(0);
  } finally {
    await server.dispose();
    await s3.close();
  }
});

const listFiles = (server: ServerProcess, folder: string) =>
  readdirSync(join(server.dataDir, folder), { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name));

test("after SIGKILL, the sweep removes orphans from a data directory, too", async () => {
  test.setTimeout(300_000);
  const server = await ServerProcess.create({}, "demo");
  try {
    await server.start();
    const token = await signIn(server);
    const bytes = createPdf(100_000);
    const [survivor, fileToDelete] = [
      (await uploadFile(server, "/api/media/upload", { token, name: "kept.pdf", bytes })).body,
      (await uploadFile(server, "/api/media/upload", { token, name: "doomed.pdf", bytes })).body,
    ];
    const filesBefore = listFiles(server, "media/files");

    // One upload is in progress, one file is stored without a row, and one deletion waits for a lock.
    const lockClient = new Client({ connectionString: server.getDatabaseUrl() });
    await lockClient.connect();
    await lockClient.query("begin");
    await lockClient.query("select from media_files where id = $1 for update", [fileToDelete.media.id]);
    await lockClient.query("select from users where email = $1 for update", [CREDENTIALS.email]);
    const interruptedCalls = [
      server.call("DELETE", `/api/media/${fileToDelete.media.id}`, { token }),
      uploadFile(server, "/api/media/upload", { token, name: "lost.pdf", bytes }),
      uploadPartially(server, { token, share: 0.5 }),
    ];
    for (const each of interruptedCalls) each.catch(() => {});
    await expect
      .poll(() => listFiles(server, "media/files").length, { timeout: 30_000 })
      .toBe(filesBefore.length + 1);
    const waitingQuery = "select from pg_stat_activity where wait_event_type = 'Lock'";
    await expect.poll(async () => (await server.sql(waitingQuery)).length, { timeout: 30_000 }).toBe(2);
    await expect.poll(() => countSpooled(server), { timeout: 30_000 }).toBe(1);
    await server.killServerAndSupervisor();
    await lockClient.end();
    await server.start();

    expect(await fetchFrom(server, fileToDelete.url)).toEqual([200, bytes]);
    const deletion = await server.call("DELETE", `/api/media/${fileToDelete.media.id}`, {
      token: await signIn(server),
    });
    expect(deletion.status).toBe(200);
    await expect.poll(() => listFiles(server, "media/files").length).toBe(filesBefore.length);
    const sevenHoursAgo = new Date(Date.now() - 7 * 3_600_000);
    for (const path of [...listFiles(server, "media/files"), ...listFiles(server, "spool")])
      utimesSync(path, sevenHoursAgo, sevenHoursAgo);
    const folders = new Set(listFiles(server, "media/files").map((path) => path.split("/").at(-2)!));
    for (const folder of folders)
      await server.sql("select graphile_worker.add_job('sweep_media', $1::json)", [
        JSON.stringify({ folder: Number.parseInt(folder, 16) }),
      ]);
    const rows = await server.sql<{ file_key: string }>("select file_key from media_files");
    const referencedPaths = rows.map(({ file_key }) => join(server.dataDir, file_key)).sort();
    await expect
      .poll(() => listFiles(server, "media/files").sort(), { timeout: 60_000 })
      .toEqual(referencedPaths);
    await expect.poll(() => countSpooled(server), { timeout: 60_000 }).toBe(0);
    expect(await fetchFrom(server, survivor.url)).toEqual([200, bytes]);
    expect((await fetchFrom(server, fileToDelete.url))[0]).toBe(404);
  } finally {
    await server.dispose();
  }
});

/** Sends the given share of an upload and leaves the request open. Resolves when the server dies. */
function uploadPartially(
  server: ServerProcess,
  { token, share }: { token: string; share: number },
): Promise<void> {
  const bytes = createPdf(4 * MEGABYTE);
  const formHead = '--b\r\ncontent-disposition: form-data; name="file"; filename="lost.pdf"\r\n\r\n';
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "multipart/form-data; boundary=b" };
    const req = request(`${server.url}/api/media/upload`, { method: "POST", headers });
    req.on("error", () => resolve());
    req.write(formHead);
    req.write(bytes.subarray(0, bytes.length * share));
  });
}
