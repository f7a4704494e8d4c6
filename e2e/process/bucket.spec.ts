import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync, utimesSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { Client } from "pg";
import { type FakeS3, openFakeS3 } from "@/server/testing/s3";
import { ServerProcess } from "../server-process";

const MB = 1024 * 1024;
const ACCOUNT = { email: "customer@example.com", password: "demo-password" };
/** A new secret, so that no prepared data is used: the demo's files must be in this bucket. */
const settings = (s3: FakeS3) => ({ APP_SECRET: randomBytes(30).toString("hex"), WORKER: "off", ...s3.env });
const sample = (name: string) => readFileSync(join("server/testing/media", name));

interface UploadResponse {
  avatar_url: string;
  url: string;
  media: { id: number; url: string };
}

async function signIn(server: ServerProcess): Promise<string> {
  return String((await server.call("POST", "/api/auth/login", { body: ACCOUNT })).body.token);
}

async function send(
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
function pdf(size: number): Buffer {
  const bytes = randomBytes(size);
  bytes.write("%PDF-1.4\n");
  bytes.write("%%EOF", size - 6);
  return bytes;
}

test("two servers and a worker that share only a database and a bucket serve the same files", async () => {
  const s3 = await openFakeS3();
  const common = settings(s3);
  const first = await ServerProcess.create(common);
  let second: ServerProcess | undefined;
  let worker: ChildProcess | undefined;
  try {
    await first.start();
    const shared = { ...common, DATABASE_URL: first.databaseUrl() };
    second = await ServerProcess.create(shared);
    const workerSettings = await ServerProcess.create(shared);
    await second.start();
    worker = spawn(process.execPath, ["dist/worker.js"], { env: workerSettings.env, stdio: "ignore" });
    const token = await signIn(first);

    const avatar = (
      await send(first, "/api/user/avatar", { token, name: "me.jpg", bytes: sample("photo.jpg") })
    ).body;
    const [status, face] = await fetchFrom(first, avatar.avatar_url);
    expect([status, face.length > 0]).toEqual([200, true]);
    expect(await fetchFrom(second, avatar.avatar_url)).toEqual([200, face]);

    const film = sample("film.mp4");
    const { media } = (await send(second, "/api/media/upload", { token, name: "film.mp4", bytes: film }))
      .body;
    for (const server of [first, second]) expect(await fetchFrom(server, media.url)).toEqual([200, film]);
    expect(await fetchFrom(first, media.url, { range: "bytes=100-199" })).toEqual([
      206,
      film.subarray(100, 200),
    ]);

    expect((await first.call("POST", "/api/user/export", { token, body: {} })).status).toBe(201);
    const link = async () => {
      const { body } = await second!.call("GET", `/api/dev/mailbox?to=${ACCOUNT.email}`);
      const texts = (body.data as Array<{ text: string }>).map(({ text }) => text).join("\n");
      return /http\S+\/api\/user\/export\/\S+/.exec(texts)?.[0] ?? "";
    };
    await expect.poll(link).not.toBe("");
    const archive = await fetchFrom(first, await link());
    expect([archive[0], archive[1].subarray(0, 2).toString()]).toEqual([200, "PK"]);
    expect(await fetchFrom(second, await link())).toEqual(archive);

    expect((await first.call("DELETE", `/api/media/${media.id}`, { token })).status).toBe(200);
    await expect.poll(async () => (await fetchFrom(second!, media.url))[0]).toBe(404);
    for (const { dataDir } of [first, second, workerSettings])
      for (const folder of ["media", "exports"]) expect(existsSync(join(dataDir, folder))).toBe(false);
    expect([...s3.bucket.files.keys()].map((key) => key.split("/")[0]).sort()).toContain("exports");
    expect(
      (await fetch(`${s3.env.S3_ENDPOINT}/${s3.bucket.name}/${[...s3.bucket.files.keys()][0]}`)).status,
    ).toBe(403);
  } finally {
    worker?.kill("SIGKILL");
    await second?.dispose();
    await first.dispose();
    await s3.close();
  }
});

const spool = (server: ServerProcess) => join(server.dataDir, "spool");
const countSpooled = (server: ServerProcess) =>
  existsSync(spool(server)) ? readdirSync(spool(server)).length : 0;

/** Kills after a `share` of the upload, or before (`pause`) or after (`hold`) a call to the bucket. */
const STEPS = [
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
  const server = await ServerProcess.create({ ...settings(s3), WORKER: "on" });
  const survivors: Array<{ url: string; bytes: Buffer }> = [];
  try {
    await server.start();
    for (const { name, share, pause, hold, picture, removal } of STEPS) {
      const token = await signIn(server);
      const bytes = pdf(100_000);
      const stored = await send(server, "/api/media/upload", { token, name: "kept.pdf", bytes });
      expect(stored.status, name).toBe(201);
      survivors.push({ url: stored.body.url, bytes });
      const doomed =
        removal && (await send(server, "/api/media/upload", { token, name: "gone.pdf", bytes })).body;

      let reached = () => {};
      const stepReached = new Promise<void>((resolve) => {
        reached = resolve;
      });
      // Never responds: the server is killed first.
      const stopAt = (step?: RegExp) => async (call: string) => {
        if (!step?.test(call)) return;
        reached();
        await new Promise<never>(() => {});
      };
      s3.beforeCall = stopAt(pause);
      s3.beforeResponse = stopAt(hold);
      const sending = doomed
        ? server.call("DELETE", `/api/media/${doomed.media.id}`, { token })
        : share
          ? sendPart(server, { token, share })
          : send(server, "/api/media/upload", {
              token,
              name: picture ? "lost.jpg" : "lost.pdf",
              bytes: picture ? sample("photo.jpg") : pdf(20 * MB),
            });
      sending.catch(() => {});
      if (share) await expect.poll(() => countSpooled(server)).toBe(1);
      else await stepReached;
      await server.killAlone();
      [s3.beforeCall, s3.beforeResponse] = [undefined, undefined];
      await server.start();
      if (doomed)
        await expect.poll(async () => (await fetchFrom(server, doomed.url))[0], { message: name }).toBe(404);
    }
    expect(countSpooled(server), "a partial upload is left").toBeGreaterThan(0);
    expect(s3.bucket.uploads.size).toBeGreaterThan(0);

    // The sweep skips files under one hour and unfinished uploads under six hours.
    const sevenHoursAgo = new Date(Date.now() - 7 * 3_600_000);
    for (const name of readdirSync(spool(server)))
      utimesSync(join(spool(server), name), sevenHoursAgo, sevenHoursAgo);
    for (const file of s3.bucket.files.values()) file.changedAt = sevenHoursAgo;
    for (const upload of s3.bucket.uploads.values()) upload.startedAt = sevenHoursAgo;
    const rows = await server.sql<{ key: string }>(
      "select unnest(array[file_key, preview_key]) as key from media_files",
    );
    const referenced = rows.flatMap(({ key }) => key ?? []).sort();
    const stored = () =>
      [...s3.bucket.files.keys()].filter((key) => /^media\/(files|previews)/.test(key)).sort();
    expect(stored().length, "an orphan is left").toBeGreaterThan(referenced.length);
    const folders = new Set(stored().map((key) => Number.parseInt(key.split("/")[2]!, 16)));
    for (const folder of folders)
      await server.sql("select graphile_worker.add_job('sweep_media', $1::json)", [
        JSON.stringify({ folder }),
      ]);
    await expect.poll(stored).toEqual(referenced);
    await expect.poll(() => [countSpooled(server), s3.bucket.uploads.size]).toEqual([0, 0]);
    for (const { url, bytes } of survivors) expect(await fetchFrom(server, url)).toEqual([200, bytes]);
    const [wrong] = await server.sql<{ count: string }>(
      `select count(*) from media_usage as held where (bytes, files) <>
         (select coalesce(sum(size), 0), count(*) from media_files where user_id = held.user_id)`,
    );
    expect(Number(wrong!.count)).toBe(0);
  } finally {
    await server.dispose();
    await s3.close();
  }
});

/** Lists the files in a folder of the data directory, with those that no row references. */
const filesIn = (server: ServerProcess, folder: string) =>
  readdirSync(join(server.dataDir, folder), { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name));

test("after SIGKILL, the sweep removes orphans from a data directory, too", async () => {
  test.setTimeout(300_000);
  const server = await ServerProcess.create({}, "demo");
  try {
    await server.start();
    const token = await signIn(server);
    const bytes = pdf(100_000);
    const [survivor, doomed] = [
      (await send(server, "/api/media/upload", { token, name: "kept.pdf", bytes })).body,
      (await send(server, "/api/media/upload", { token, name: "doomed.pdf", bytes })).body,
    ];
    const before = filesIn(server, "media/files");

    // One upload is in progress, one file is stored without a row, and one deletion waits for a lock.
    const holder = new Client({ connectionString: server.databaseUrl() });
    await holder.connect();
    await holder.query("begin");
    await holder.query("select from media_files where id = $1 for update", [doomed.media.id]);
    await holder.query("select from users where email = $1 for update", [ACCOUNT.email]);
    const interrupted = [
      server.call("DELETE", `/api/media/${doomed.media.id}`, { token }),
      send(server, "/api/media/upload", { token, name: "lost.pdf", bytes }),
      sendPart(server, { token, share: 0.5 }),
    ];
    for (const each of interrupted) each.catch(() => {});
    await expect
      .poll(() => filesIn(server, "media/files").length, { timeout: 30_000 })
      .toBe(before.length + 1);
    const waiting = "select from pg_stat_activity where wait_event_type = 'Lock'";
    await expect.poll(async () => (await server.sql(waiting)).length, { timeout: 30_000 }).toBe(2);
    await expect.poll(() => countSpooled(server), { timeout: 30_000 }).toBe(1);
    await server.killAlone();
    await holder.end();
    await server.start();

    expect(await fetchFrom(server, doomed.url)).toEqual([200, bytes]);
    const again = await server.call("DELETE", `/api/media/${doomed.media.id}`, {
      token: await signIn(server),
    });
    expect(again.status).toBe(200);
    await expect.poll(() => filesIn(server, "media/files").length).toBe(before.length);
    const sevenHoursAgo = new Date(Date.now() - 7 * 3_600_000);
    for (const path of [...filesIn(server, "media/files"), ...filesIn(server, "spool")])
      utimesSync(path, sevenHoursAgo, sevenHoursAgo);
    const folders = new Set(filesIn(server, "media/files").map((path) => path.split("/").at(-2)!));
    for (const folder of folders)
      await server.sql("select graphile_worker.add_job('sweep_media', $1::json)", [
        JSON.stringify({ folder: Number.parseInt(folder, 16) }),
      ]);
    const rows = await server.sql<{ file_key: string }>("select file_key from media_files");
    const referenced = rows.map(({ file_key }) => join(server.dataDir, file_key)).sort();
    await expect.poll(() => filesIn(server, "media/files").sort(), { timeout: 60_000 }).toEqual(referenced);
    await expect.poll(() => countSpooled(server), { timeout: 60_000 }).toBe(0);
    expect(await fetchFrom(server, survivor.url)).toEqual([200, bytes]);
    expect((await fetchFrom(server, doomed.url))[0]).toBe(404);
  } finally {
    await server.dispose();
  }
});

function sendPart(server: ServerProcess, { token, share }: { token: string; share: number }): Promise<void> {
  const bytes = pdf(4 * MB);
  const head = '--b\r\ncontent-disposition: form-data; name="file"; filename="lost.pdf"\r\n\r\n';
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "multipart/form-data; boundary=b" };
    const req = request(`${server.url}/api/media/upload`, { method: "POST", headers });
    req.on("error", () => resolve());
    req.write(head);
    req.write(bytes.subarray(0, bytes.length * share));
  });
}
