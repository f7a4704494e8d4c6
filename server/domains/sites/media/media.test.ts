import { readdir, readFile, utimes, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { prisma } from "@/server/infrastructure/database/client";
import { createToken, hashSecret } from "@/server/infrastructure/secrets/tokens";
import { makeMedia, makeSignedInUser } from "@/server/testing/factories";
import { sendHttp } from "@/server/testing/http";
import { buildMultipartForm } from "@/server/testing/multipart";
import { startTestServer } from "@/server/testing/server";
import { finishMediaRemovalJob, sweepMediaJob } from "./jobs";
import { MAX_BYTES_BY_KIND } from "./policy";

const { call, get, port, runJobs } = await startTestServer();
const readSample = (name: string) => readFile(join(import.meta.dirname, "../../../testing/media", name));
const countFiles = (folder: string) =>
  readdir(join(process.env.DATA_DIR!, folder), { recursive: true, withFileTypes: true })
    .then((entries) => entries.filter((entry) => entry.isFile()).length)
    .catch(() => 0);

const upload = (token: string, bytes: Uint8Array | string, filename: string) =>
  call("POST", "/api/media/upload", { token, ...buildMultipartForm([{ bytes, filename }]) });
const uploadSample = async (token: string, name: string, uploadName = name) =>
  upload(token, await readSample(name), uploadName);
const fetchFile = (url: string, headers = {}) => sendHttp(port, "GET", new URL(url).pathname, { headers });

describe("a file of each type", () => {
  it.each([
    ["photo.jpg", "image", "image/jpeg", "jpg"],
    ["drawing.png", "image", "image/png", "png"],
    ["picture.webp", "image", "image/webp", "webp"],
    ["animation.webp", "image", "image/webp", "webp"],
    ["film.mp4", "video", "video/mp4", "mp4"],
    ["film.3gp", "video", "video/3gpp", "3gp"],
    ["song.mp3", "audio", "audio/mpeg", "mp3"],
    ["note.ogg", "audio", "audio/ogg; codecs=opus", "ogg"],
    ["vorbis.ogg", "audio", "audio/ogg", "ogg"],
    ["voice.aac", "audio", "audio/aac", "aac"],
    ["voice.m4a", "audio", "audio/mp4", "m4a"],
    ["letter.pdf", "document", "application/pdf", "pdf"],
    [
      "letter.docx",
      "document",
      "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
      "docx",
    ],
    [
      "slides.pptx",
      "document",
      "application/vnd.openxmlformats-officedocument.presentationml.presentation",
      "pptx",
    ],
    ["notes.zip", "document", "application/zip", "zip"],
  ])(
    "%s is stored as %s and served with headers that prevent execution",
    async (name, kind, type, extension) => {
      const { token } = await makeSignedInUser();
      const { status, json } = await uploadSample(token, name);
      expect(status, JSON.stringify(json)).toBe(201);
      expect(json.media?.kind, JSON.stringify(json)).toEqual(kind);
      expect(json.media?.mime_type, JSON.stringify(json)).toEqual(type);
      expect(json.url).toMatch(
        new RegExp(`^http://panel\\.test/media/f/[0-9a-f]{2}[0-9A-Za-z]{24}/[a-z0-9-]+\\.${extension}$`),
      );
      expect(json.media.stored_as_document).toBe(false);
      const fileResponse = await fetchFile(json.url);
      expect(fileResponse.status).toBe(200);
      expect(fileResponse.bytes!.length).toBe(json.media.size);
      if (kind !== "image") expect(fileResponse.bytes).toEqual(await readSample(name));
      expect(fileResponse.headers).toMatchObject({
        "content-type": type,
        "x-content-type-options": "nosniff",
        "content-security-policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
      });
      const disposition = kind === "document" ? "attachment" : "inline";
      expect(fileResponse.headers["content-disposition"]).toMatch(
        new RegExp(`^${disposition}; filename="[a-z0-9-]+\\.${extension}"$`),
      );
      if (kind === "video") expect([json.media.width > 0, json.media.duration]).toEqual([true, 1]);
    },
  );

  it.each([
    ["refused.mov", "film.mp4", "QuickTime"],
    ["refused.mkv", "film.mp4", "Matroska"],
    ["refused.flv", "film.mp4", "FLV"],
    ["refused-theora.ogv", "song.ogg", "Theora"],
    ["refused.wav", "song.mp3", "WAV"],
    ["refused.gif", "a.png", "GIF"],
    ["refused.bmp", "a.png", "BMP"],
    ["refused.tiff", "a.jpg", "TIFF"],
    ["refused.xlsx", "table.docx", "XLSX"],
    ["refused-macros.docx", "a.docx", "macros"],
    ["refused-bomb.zip", "a.zip", "too large"],
    ["refused-paths.zip", "a.zip", "outside its folder"],
    ["refused-link.zip", "a.zip", "outside its folder"],
    ["refused-encrypted.zip", "a.zip", "encrypted"],
    ["photo.jpg", "photo.svg", "svg"],
    ["photo.jpg", "photo.jpg.exe", "exe"],
    ["photo.jpg", "photo.mp4", "JPEG"],
    ["letter.pdf", "page.html", "html"],
    ["notes.zip", "program.apk", "apk"],
  ])("%s named %s is refused with the reason", async (name, uploadName, messagePart) => {
    const { id, token } = await makeSignedInUser({ locale: "en" });
    const { status, json } = await uploadSample(token, name, uploadName);
    expect(status).toBe(422);
    expect(Object.keys(json.errors ?? {})).toEqual(["file"]);
    expect(json.errors.file[0]).toContain(messagePart);
    expect(await prisma().mediaFile.count({ where: { userId: id } })).toBe(0);
  });

  it("may have another extension of its kind, and is stored with that of its content", async () => {
    const { token } = await makeSignedInUser();
    expect((await uploadSample(token, "picture.webp", "foto.jpg")).json.media.name).toBe("foto.webp");
    expect((await uploadSample(token, "photo.jpg", "foto")).json.media.name).toBe("foto.jpg");
    const hostileName = await uploadSample(
      token,
      "photo.jpg",
      `..\\..\\/etc/\u202Egpj.İş Çağrı${"x".repeat(300)}.jpg`,
    );
    expect(hostileName.json.media.name).toMatch(/^gpj\.İş Çağrıx+\.jpg$/);
    expect([...hostileName.json.media.name].length).toBe(120);
    expect(hostileName.json.url).toMatch(/\/gpj-is-cagrix+\.jpg$/);
  });

  it("is refused when truncated or damaged inside", async () => {
    const { token } = await makeSignedInUser({ locale: "en" });
    const brokenFiles: Array<[string, Buffer]> = [];
    for (const name of [
      "photo.jpg",
      "drawing.png",
      "film.mp4",
      "voice.m4a",
      "song.mp3",
      "note.ogg",
      "notes.zip",
    ]) {
      const bytes = await readSample(name);
      const keptByteCount =
        name === "song.mp3" ? 200 : name === "note.ogg" ? 40 : Math.floor(bytes.length * 0.6);
      brokenFiles.push([name, bytes.subarray(0, keptByteCount)]);
    }
    const ogg = Buffer.from(await readSample("note.ogg"));
    ogg[30]! ^= 0xff;
    brokenFiles.push(["checksum.ogg", ogg]);
    for (const size of [0, 1, 7, 0x7fffffff]) {
      const mp4 = Buffer.from(await readSample("film.mp4"));
      mp4.writeUInt32BE(size, mp4.readUInt32BE(0));
      brokenFiles.push([`box-${size}.mp4`, mp4]);
    }
    brokenFiles.push(["pdf.pdf", Buffer.concat([Buffer.from("%PDF-1.7\n"), Buffer.alloc(200_000, 32)])]);
    for (const [name, bytes] of brokenFiles) {
      const { status, json } = await upload(token, bytes, name);
      expect(status, name).toBe(422);
      expect(Object.keys(json.errors ?? {})).toEqual(["file"]);
    }
    expect(await countFiles("spool")).toBe(0);
  });

  it("is stored as an image without metadata and appended data", async () => {
    const { token } = await makeSignedInUser();
    const photo = await sharp(await readSample("photo.jpg"))
      .withExif({ IFD3: { GPSLatitude: "41/1 1/1 1/1", GPSLatitudeRef: "N" } })
      .jpeg()
      .toBuffer();
    const { json } = await upload(
      token,
      Buffer.concat([photo, Buffer.from("<script>1</script>PK\x03\x04")]),
      "a.jpg",
    );
    const { bytes } = await fetchFile(json.url);
    expect((await sharp(bytes).metadata()).exif).toBeUndefined();
    expect(bytes!.includes("<script>")).toBe(false);
    const preview = await fetchFile(json.media.preview_url);
    expect(preview).toMatchObject({ status: 200, headers: { "content-type": "image/webp" } });
  });
});

describe("size limits", () => {
  const padToSize = (head: Buffer, size: number) => Buffer.concat([head, Buffer.alloc(size - head.length)]);
  async function makeFilm(size: number) {
    const bytes = await readSample("film.mp4");
    const freeBox = Buffer.alloc(size - bytes.length);
    freeBox.writeUInt32BE(freeBox.length, 0);
    freeBox.write("free", 4);
    return Buffer.concat([bytes, freeBox]);
  }

  it("are exact for each kind; a larger video becomes a document", async () => {
    const { token } = await makeSignedInUser({ locale: "en" });
    const image = await readSample("photo.jpg");
    expect((await upload(token, padToSize(image, MAX_BYTES_BY_KIND.image), "a.jpg")).status).toBe(201);
    const oversizedResponse = await upload(token, padToSize(image, MAX_BYTES_BY_KIND.image + 1), "a.jpg");
    expect(oversizedResponse.status).toBe(422);
    expect(oversizedResponse.json.errors.file[0]).toEqual(expect.stringContaining("5 MB"));
    const song = await readSample("song.mp3");
    expect((await upload(token, padToSize(song, MAX_BYTES_BY_KIND.audio), "a.mp3")).status).toBe(201);
    expect((await upload(token, padToSize(song, MAX_BYTES_BY_KIND.audio + 1), "a.mp3")).status).toBe(422);
    expect((await upload(token, await makeFilm(MAX_BYTES_BY_KIND.video), "a.mp4")).json.media).toMatchObject({
      kind: "video",
      stored_as_document: false,
    });
    const documentResponse = (await upload(token, await makeFilm(MAX_BYTES_BY_KIND.video + 1), "a.mp4")).json;
    expect(documentResponse.media).toMatchObject({
      kind: "document",
      mime_type: "video/mp4",
      stored_as_document: true,
    });
    expect(
      (await sendHttp(port, "HEAD", new URL(documentResponse.url).pathname)).headers["content-disposition"],
    ).toMatch(/^attachment/);
    const pdf = padToSize(Buffer.from("%PDF-1.4\n"), MAX_BYTES_BY_KIND.document);
    pdf.write("%%EOF", pdf.length - 6);
    expect((await upload(token, pdf, "a.pdf")).status).toBe(201);
    expect((await upload(token, Buffer.concat([pdf, Buffer.alloc(1)]), "a.pdf")).status).toBe(413);
  });

  it("are not exceeded by fifty concurrent uploads to a library", async () => {
    const { id, token } = await makeSignedInUser();
    const bytes = await readSample("voice.aac");
    // Default of MEDIA_QUOTA_MB.
    const quotaBytes = 2048 * 1_048_576;
    await prisma().mediaUsage.create({ data: { userId: id, bytes: quotaBytes - 10 * bytes.length - 1 } });
    const responses = await Promise.all(Array.from({ length: 50 }, () => upload(token, bytes, "a.aac")));
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(10);
    const refusal = responses.find(({ status }) => status === 422)!;
    expect(Object.keys(refusal.json).sort()).toEqual(["error", "quota_bytes", "success", "used_bytes"]);
    const usage = await prisma().mediaUsage.findUniqueOrThrow({ where: { userId: id } });
    expect(Number(usage.bytes)).toEqual(quotaBytes - 1);
    expect(usage.files).toBe(10);
    expect(await prisma().mediaFile.count({ where: { userId: id } })).toBe(10);
  });

  it("do not count aborted uploads, which leave no files", async () => {
    const { id, token } = await makeSignedInUser();
    const { raw, headers } = buildMultipartForm([{ bytes: await makeFilm(200_000), filename: "a.mp4" }]);
    const [filesBefore, fractions] = [
      await countFiles("media"),
      Array.from({ length: 30 }, () => Math.random()),
    ];
    await Promise.all(
      fractions.map(
        (fraction) =>
          new Promise<void>((resolve) => {
            const requestHeaders = { ...headers, authorization: `Bearer ${token}` } as Record<string, string>;
            const req = request({
              host: "127.0.0.1",
              port,
              method: "POST",
              path: "/api/media/upload",
              headers: requestHeaders,
            });
            req.on("error", () => resolve());
            req.on("close", () => resolve());
            req.write(raw.slice(0, Math.floor(raw.length * fraction)), () => req.destroy());
          }),
      ),
    );
    await expect.poll(() => countFiles("spool"), { timeout: 30_000 }).toBe(0);
    expect(await countFiles("media")).toEqual(filesBefore);
    expect(await prisma().mediaFile.count({ where: { userId: id } })).toBe(0);
  });
});

describe("a library", () => {
  it("is listed by search words, kind and use, in pages", async () => {
    const { id, token } = await makeSignedInUser();
    for (let index = 0; index < 30; index++) await makeMedia(id, { name: `Çağrı ${index}.pdf` });
    const usedFile = await makeMedia(id, { name: "100%_x.mp3", kind: "audio" });
    await prisma().snippet.create({
      data: { userId: id, title: "A", body: "a", searchText: "a", mediaFileId: usedFile.id },
    });
    const listMedia = async (query: string) => (await get(`/api/media?${query}`, token)).json;
    const firstPage = await listMedia("");
    expect({ count: firstPage.count, meta: firstPage.meta, data: firstPage.data }).toEqual({
      count: 25,
      meta: { page: 1, per_page: 25, total: 31, current_page: 1, last_page: 2 },
      data: firstPage.media,
    });
    expect(firstPage.media[0]).toMatchObject({ id: usedFile.id, used_in_count: 1 });
    expect((await listMedia("q=cagri&per_page=100")).count).toBe(30);
    expect((await listMedia("q=%25_")).media.map(({ id }: { id: number }) => id)).toEqual([usedFile.id]);
    expect((await listMedia("kind=audio")).count).toBe(1);
    expect((await listMedia("used=false")).meta.total).toBe(30);
    expect((await listMedia("used=true")).meta.total).toBe(1);
    expect((await get("/api/media?per_page=101", token)).status).toBe(422);
    expect((await listMedia("")).usage.files).toBe(31);
  });

  it("is shared by parent and agents; agents delete only their own uploads", async () => {
    const owner = await makeSignedInUser();
    const agent = await makeSignedInUser({ isAgentOnly: true, parentUserId: owner.id });
    const ownersFile = await makeMedia(owner.id);
    const agentsFile = (await uploadSample(agent.token, "letter.pdf")).json.media;
    expect((await get("/api/media", owner.token)).json.media.map(({ id }: { id: number }) => id)).toEqual([
      agentsFile.id,
      ownersFile.id,
    ]);
    expect(
      (await get("/api/media", agent.token)).json.media.map(
        (file: { can_delete: boolean }) => file.can_delete,
      ),
    ).toEqual([true, false]);
    expect((await call("DELETE", `/api/media/${ownersFile.id}`, { token: agent.token })).status).toBe(403);
    expect((await call("DELETE", `/api/media/${agentsFile.id}`, { token: agent.token })).status).toBe(200);
  });

  it("frees the space of a deleted file and detaches its snippets", async () => {
    const { id, token } = await makeSignedInUser();
    const file = (await uploadSample(token, "photo.jpg")).json;
    const snippet = await prisma().snippet.create({
      data: { userId: id, title: "A", body: "a", searchText: "a", mediaFileId: file.media.id },
    });
    const usage = await get(`/api/media/${file.media.id}/usage`, token);
    expect(usage.json.snippets).toEqual([{ id: snippet.id, title: "A" }]);
    const deletion = await call("DELETE", `/api/media/${file.media.id}`, { token });
    expect(deletion).toMatchObject({ status: 200, json: { detached_snippets: 1 } });
    expect((await get(`/api/snippets/${snippet.id}`, token)).json.snippet).toMatchObject({
      media_file_id: null,
      file_missing: true,
    });
    await runJobs();
    expect([(await fetchFile(file.url)).status, (await fetchFile(file.media.preview_url)).status]).toEqual([
      404, 404,
    ]);
    const { bytes, files: count } = await prisma().mediaUsage.findUniqueOrThrow({ where: { userId: id } });
    expect(Number(bytes)).toBe(0);
    expect(count).toBe(0);
    expect((await call("DELETE", `/api/media/${file.media.id}`, { token })).status).toBe(404);
  });

  it("restores a deleted file until its deletion is complete, even if both happen at the same time", async () => {
    const { id, token } = await makeSignedInUser();
    for (let round = 0; round < 20; round++) {
      const file = await makeMedia(id);
      const path = `/api/media/${file.id}`;
      expect((await call("DELETE", `${path}?undo=true`, { token })).status).toBe(200);
      expect((await get(`${path}/usage`, token)).status).toBe(404);
      const list = (await get("/api/media", token)).json;
      expect(list.meta.total, "a hidden file is not counted").toBe(
        await prisma().mediaFile.count({ where: { userId: id, removingAt: null } }),
      );
      await prisma().mediaFile.update({ where: { id: file.id }, data: { removingAt: new Date() } });
      const [restoreResponse] = await Promise.all([
        call("POST", `${path}/restore`, { token }),
        finishMediaRemovalJob({ id: file.id }),
      ]);
      const remainingFile = await prisma().mediaFile.findUnique({ where: { id: file.id } });
      expect([restoreResponse.status, remainingFile?.removingAt]).toEqual(
        remainingFile ? [200, null] : [404, undefined],
      );
    }
    const { bytes } = await prisma().mediaUsage.findUniqueOrThrow({ where: { userId: id } });
    const sum = await prisma().mediaFile.aggregate({ where: { userId: id }, _sum: { size: true } });
    expect(Number(bytes)).toBe(sum._sum.size ?? 0);
  });

  it("is swept of old stored files that have no row", async () => {
    const { id } = await makeSignedInUser();
    const keptFile = await makeMedia(id);
    const folder = join(process.env.DATA_DIR!, "media/files/0f");
    const twoHoursAgo = new Date(Date.now() - 2 * 3_600_000);
    for (const name of ["0rphan.pdf", "0new.pdf"]) await writeFile(join(folder, name), "x");
    for (const name of ["0rphan.pdf", keptFile.fileKey.split("/").at(-1)!])
      await utimes(join(folder, name), twoHoursAgo, twoHoursAgo);
    await sweepMediaJob({ folder: 0x0f });
    const remainingNames = await readdir(folder);
    expect(remainingNames).toEqual(expect.arrayContaining(["0new.pdf", keptFile.fileKey.split("/").at(-1)]));
    expect(remainingNames).not.toContain("0rphan.pdf");
  });
});

describe("a public URL", () => {
  it("redirects other names to the file's own, and is 404 after the deletion", async () => {
    const { token } = await makeSignedInUser();
    const { json } = await uploadSample(token, "photo.jpg");
    const { pathname } = new URL(json.url);
    const previewPath = new URL(json.media.preview_url).pathname;
    for (const otherName of ["a1", "other-words"]) {
      const { status, headers } = await sendHttp(port, "GET", pathname.replace(/[^/]*(?=\.jpg)/, otherName));
      expect({ status, location: headers.location }).toEqual({ status: 301, location: pathname });
    }
    const getStatuses = async () => [
      (await sendHttp(port, "GET", pathname)).status,
      (await sendHttp(port, "GET", pathname.replace(/[^/]*(?=\.jpg)/, "a1"))).status,
      (await sendHttp(port, "GET", previewPath)).status,
    ];
    expect(await getStatuses()).toEqual([200, 301, 200]);
    const path = `/api/media/${json.media.id}`;
    await call("DELETE", `${path}?undo=true`, { token });
    expect(await getStatuses(), "while the deletion can be undone").toEqual([404, 404, 404]);
    await call("POST", `${path}/restore`, { token });
    expect(await getStatuses()).toEqual([200, 301, 200]);
    await call("DELETE", path, { token });
    expect(await getStatuses(), "before a job removes the content").toEqual([404, 404, 404]);
  });

  it("supports ranges and conditional requests", async () => {
    const { token } = await makeSignedInUser();
    const { json } = await uploadSample(token, "film.mp4");
    const bytes = await readSample("film.mp4");
    const size = bytes.length;
    const getRange = async (range: string, extraHeaders = {}) => {
      const { status, headers, bytes: body } = await fetchFile(json.url, { range, ...extraHeaders });
      return [status, headers["content-range"], status === 416 ? 0 : body!.length];
    };
    expect(await getRange("bytes=0-99")).toEqual([206, `bytes 0-99/${size}`, 100]);
    expect(await getRange("bytes=100-")).toEqual([206, `bytes 100-${size - 1}/${size}`, size - 100]);
    expect(await getRange("bytes=-10")).toEqual([206, `bytes ${size - 10}-${size - 1}/${size}`, 10]);
    expect(await getRange(`bytes=${size}-`)).toEqual([416, `bytes */${size}`, 0]);
    expect(await getRange("bytes=0-1,5-6")).toEqual([200, undefined, size]);
    expect(await getRange("lines=0-1")).toEqual([200, undefined, size]);
    const { etag } = (await fetchFile(json.url)).headers;
    expect(await getRange("bytes=0-9", { "if-range": etag })).toEqual([206, `bytes 0-9/${size}`, 10]);
    expect(await getRange("bytes=0-9", { "if-range": '"other"' })).toEqual([200, undefined, size]);
    expect((await fetchFile(json.url, { "if-none-match": etag })).status).toBe(304);
    expect((await fetchFile(json.url, { range: "bytes=5-9" })).bytes).toEqual(bytes.subarray(5, 10));
    for (const wrongEnding of ["/X.mp4", ".html", "/../../app-secret", "/a/b.mp4"])
      expect(
        (await sendHttp(port, "GET", new URL(json.url).pathname.replace(/\/[^/]*$/, wrongEnding))).status,
      ).toBe(404);
  });
});

describe("before the account's address is verified", () => {
  it("a file is readable by its account only", async () => {
    const { id, token } = await makeSignedInUser({ emailVerifiedAt: null });
    const { status, json } = await uploadSample(token, "photo.jpg");
    expect([status, json.media.is_public]).toEqual([201, false]);
    const sessionToken = createToken("dss");
    await prisma().accessToken.create({
      data: {
        ...{ userId: id, kind: "session", name: "panel", lastFour: sessionToken.slice(-4) },
        tokenHash: Uint8Array.from(hashSecret(sessionToken)),
        expiresAt: new Date(Date.now() + 60_000),
      },
    });
    const otherAccount = await makeSignedInUser();
    const readers: [string, Record<string, string>, number][] = [
      ["everyone", {}, 404],
      ["another account", { authorization: `Bearer ${otherAccount.token}` }, 404],
      ["a revoked token", { authorization: "Bearer dsu_x" }, 404],
      ["the account", { authorization: `Bearer ${token}` }, 200],
      ["the account's panel", { cookie: `session=${sessionToken}` }, 200],
    ];
    for (const url of [json.url, json.media.preview_url])
      for (const [reader, headers, expectedStatus] of readers) {
        const fileResponse = await fetchFile(url, headers);
        expect([reader, fileResponse.status, fileResponse.headers["cache-control"]]).toEqual([
          reader,
          expectedStatus,
          expectedStatus === 200 ? "private, no-store" : "no-store",
        ]);
      }
    await prisma().user.update({ where: { id }, data: { emailVerifiedAt: new Date() } });
    expect((await fetchFile(json.url)).status).toBe(200);
    expect((await get("/api/media", token)).json.media[0].is_public).toBe(true);
  });

  it("256 MB (UNVERIFIED_QUOTA_MB) can be stored, and the avatar is public", async () => {
    const { id, token } = await makeSignedInUser({ emailVerifiedAt: null });
    const agent = await makeSignedInUser({ isAgentOnly: true, parentUserId: id });
    for (const each of [token, agent.token])
      expect((await get("/api/media", each)).json.usage.quota_bytes).toBe(256 * 1_048_576);
    const { json: agentsUpload } = await uploadSample(agent.token, "letter.pdf");
    expect(agentsUpload.media.is_public, "the owner's address counts").toBe(false);
    await call("DELETE", `/api/media/${agentsUpload.media.id}`, { token });
    await prisma().mediaUsage.update({ where: { userId: id }, data: { bytes: 256 * 1_048_576 - 10 } });
    expect((await uploadSample(token, "letter.pdf")).status).toBe(422);
    const photo = buildMultipartForm([{ bytes: await readSample("photo.jpg"), filename: "me.jpg" }]);
    const { status, json } = await call("POST", "/api/user/avatar", { token, ...photo });
    expect([status, (await fetchFile(json.avatar_url)).status]).toEqual([200, 200]);
  });
});
