import { readdir, utimes, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { crc32, deflateSync } from "node:zlib";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { exchangeForSession } from "@/server/domains/access/tokens/service/tokens";
import { prisma } from "@/server/infrastructure/database/client";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { makeSignedInUser, makeToken, makeUser } from "@/server/testing/factories";
import { sendHttp, type TestResponse } from "@/server/testing/http";
import { buildMultipartForm } from "@/server/testing/multipart";
import { callRoute, listRouteFiles } from "@/server/testing/next-routes";
import { buildRequestText, sendRawRequest } from "@/server/testing/raw-socket";
import { startTestServer } from "@/server/testing/server";
import { sweepAvatarsJob } from "./jobs";

const FIVE_MEGABYTES = 5 * 1024 * 1024;

const { call, get, port, runJobs } = await startTestServer();
const AVATAR_PATH = "/api/user/avatar";
const getAvatarFolder = () => join(process.env.DATA_DIR!, "media/avatars");
const listStoredFiles = () => readdir(getAvatarFolder()).catch(() => [] as string[]);

type Parts = Parameters<typeof buildMultipartForm>[0];
const upload = (token: string, parts: Parts | Uint8Array, options?: { end?: boolean }) =>
  call("POST", AVATAR_PATH, {
    token,
    ...buildMultipartForm(Array.isArray(parts) ? parts : [{ bytes: parts }], options),
  });
const fetchPathOf = (url: string) => sendHttp(port, "GET", new URL(url).pathname);

function makeTwoColourImage(width = 300, height = 300) {
  const pixels = Buffer.alloc(width * height * 3);
  for (let offset = 0; offset < pixels.length; offset += 3)
    pixels[offset < pixels.length / 2 ? offset : offset + 2] = 255;
  return sharp(pixels, { raw: { width, height, channels: 3 } });
}

function makeSparsePng(width: number, height: number): Buffer {
  const buildChunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const lengthAndChecksum = Buffer.alloc(8);
    lengthAndChecksum.writeUInt32BE(data.length);
    lengthAndChecksum.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([lengthAndChecksum.subarray(0, 4), body, lengthAndChecksum.subarray(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header.set([1, 0, 0, 0, 0], 8);
  const signature = Buffer.from("\x89PNG\r\n\x1A\n", "latin1");
  const data = deflateSync(Buffer.alloc(1_000_000));
  return Buffer.concat([
    signature,
    buildChunk("IHDR", header),
    buildChunk("IDAT", data),
    buildChunk("IEND", Buffer.alloc(0)),
  ]);
}

describe("a picture", () => {
  it("is re-encoded as an upright, square WEBP without metadata", async () => {
    const { id, token } = await makeSignedInUser();
    const gps = { GPSLatitude: "41/1 1/1 1/1", GPSLatitudeRef: "N" };
    const photo = await makeTwoColourImage(400, 300)
      .withMetadata({ orientation: 3, exif: { IFD0: { Artist: "canary-artist" }, IFD3: gps } })
      .jpeg()
      .toBuffer();
    expect((await sharp(photo).metadata()).exif?.toString("latin1")).toContain("canary-artist");
    const trailer = Buffer.from("<script>canary-trailer</script>PK\x03\x04");
    const { status, json } = await upload(token, Buffer.concat([photo, trailer]));
    expect(status).toBe(200);
    expect(json.avatar_url).toMatch(/^http:\/\/panel\.test\/media\/avatars\/[0-9A-Z]{26}\.webp$/);
    for (const path of ["/api/user", "/api/auth/user"])
      expect((await get(path, token)).json.user.avatar_url).toBe(json.avatar_url);

    const { headers, bytes } = await fetchPathOf(json.avatar_url);
    expect(headers).toMatchObject({
      "content-type": "image/webp",
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
      "cache-control": "public, max-age=31536000, immutable",
    });
    const imageMetadata = await sharp(bytes).metadata();
    expect(imageMetadata).toMatchObject({ format: "webp", width: 256, height: 256 });
    expect({
      exif: imageMetadata.exif,
      xmp: imageMetadata.xmp,
      iptc: imageMetadata.iptc,
      icc: imageMetadata.icc,
    }).toEqual({
      exif: undefined,
      xmp: undefined,
      iptc: undefined,
      icc: undefined,
    });
    expect(bytes!.toString("latin1")).not.toContain("canary");
    const { data } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
    expect(data[2]! > 200 && data[0]! < 60, "turned upright, blue is above").toBe(true);
    const [event] = await prisma().auditEvent.findMany({ where: { actorId: id } });
    expect(event?.action).toBe("profile.avatar_changed");
  });

  it.each(["jpeg", "png", "webp"] as const)("may be a %s with any declared type", async (format) => {
    const { token } = await makeSignedInUser();
    const bytes = await makeTwoColourImage(40, 900).toFormat(format).toBuffer();
    const misnamedFile = { bytes, filename: "../../etc/x.svg", type: "image/svg+xml" };
    expect((await upload(token, [misnamedFile])).status).toBe(200);
  });

  it("counts against the limit only if it had to be decoded", async () => {
    const { token } = await makeSignedInUser();
    const jpeg = await makeTwoColourImage().jpeg().toBuffer();
    const uploadAndReadLimit = async (bytes: Buffer) =>
      (await upload(token, [{ bytes }])).headers["x-ratelimit-remaining"];
    // The limit of `uploadAvatar` is 60 an hour.
    expect(await uploadAndReadLimit(Buffer.from("GIF89a"))).toBe("60");
    expect(await uploadAndReadLimit(jpeg.subarray(0, jpeg.length / 2))).toBe("59");
    expect(await uploadAndReadLimit(jpeg)).toBe("58");
  });

  it("is rejected when it has another type, is invalid or truncated", async () => {
    const { token } = await makeSignedInUser();
    const image = makeTwoColourImage();
    const [jpeg, png, webp] = [
      await image.clone().jpeg().toBuffer(),
      await image.clone().png({ compressionLevel: 0 }).toBuffer(),
      await image.clone().webp().toBuffer(),
    ];
    const takeFirstHalf = (bytes: Buffer) => bytes.subarray(0, Math.floor(bytes.length / 2));
    const rejectedFiles: Record<string, Uint8Array | string> = {
      gif: "GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xFF\xFF\xFF,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;",
      svg: '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>1</script></svg>',
      "svg after a declaration": '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>',
      html: "<!doctype html><script>alert(1)</script>",
      pdf: "%PDF-1.7\n",
      zip: "PK\x03\x04",
      nothing: "",
      "one byte": "\xFF",
      "a head and a page": Buffer.concat([
        Buffer.from([0xff, 0xd8, 0xff, 0xe0]),
        Buffer.from("<script>1</script>"),
      ]),
      "a PNG's head": png.subarray(0, 8),
      "half a JPEG": takeFirstHalf(jpeg),
      "half a PNG": takeFirstHalf(png),
      "half a WEBP": takeFirstHalf(webp),
      "a GIF in front of a JPEG": Buffer.concat([Buffer.from("GIF89a"), jpeg]),
      "a RIFF that is no picture": Buffer.from("RIFF\x04\x00\x00\x00WAVEfmt "),
      tiff: await image.clone().tiff().toBuffer(),
    };
    for (const [caseName, bytes] of Object.entries(rejectedFiles)) {
      const { status, json } = await upload(token, [
        { bytes: typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes },
      ]);
      expect(status, caseName).toBe(422);
      expect(Object.keys(json.errors ?? {}), caseName).toEqual(["file"]);
    }
    expect((await get("/api/user", token)).json.user.avatar_url).toBeNull();
  });

  it("is not decoded when it declares too large a size", async () => {
    const { token } = await makeSignedInUser();
    for (const [width, height] of [
      [50_000, 50_000],
      [8000, 5001],
      [16_384, 2442],
    ] as const) {
      const startedAt = performance.now();
      const { status, json } = await upload(token, makeSparsePng(width, height));
      expect(status, `${width}×${height}`).toBe(422);
      expect(json.errors.file[0], `${width}×${height}`).toEqual(expect.stringContaining("40"));
      expect(performance.now() - startedAt).toBeLessThan(20_000);
    }
    // At the limit it is decoded, and rejected as truncated.
    const { json } = await upload(token, makeSparsePng(8000, 5000));
    expect(json.errors.file[0]).not.toContain("40");
  });

  it("may have at most five megabytes, with or without Content-Length", async () => {
    const { token } = await makeSignedInUser();
    const jpeg = await makeTwoColourImage().jpeg().toBuffer();
    const padTo = (size: number) => Buffer.concat([jpeg, Buffer.alloc(size - jpeg.length)]);
    expect((await upload(token, padTo(FIVE_MEGABYTES))).status).toBe(200);
    for (const size of [FIVE_MEGABYTES + 1, FIVE_MEGABYTES + 100_000]) {
      const { raw, headers } = buildMultipartForm([{ bytes: padTo(size) }]);
      const chunked = { "transfer-encoding": "chunked", "content-length": [] as unknown as string };
      for (const extraHeaders of [{}, chunked]) {
        const response = await call("POST", AVATAR_PATH, {
          token,
          raw,
          headers: { ...headers, ...extraHeaders },
        });
        expect(response.status).toBe(413);
      }
    }
  });
});

describe("a form", () => {
  it("must contain one file", async () => {
    const { token } = await makeSignedInUser();
    const bytes = await makeTwoColourImage().jpeg().toBuffer();
    const { raw, headers } = buildMultipartForm([{ bytes }]);
    const type = String(headers["content-type"]);
    const postAs = (contentType: string, body: string | Uint8Array = raw) =>
      call("POST", AVATAR_PATH, { token, raw: body, headers: { "content-type": contentType } });
    const attempts: Array<[string, Promise<TestResponse>, number]> = [
      ["no body", call("POST", AVATAR_PATH, { token }), 422],
      ["JSON", call("POST", AVATAR_PATH, { token, body: { file: "x" } }), 415],
      ["no boundary", postAs("multipart/form-data"), 415],
      ["an empty boundary", postAs('multipart/form-data; boundary=""'), 415],
      ["another kind of multipart", postAs(type.replace("form-data", "mixed")), 415],
      [
        "a compressed body",
        call("POST", AVATAR_PATH, { token, raw, headers: { ...headers, "content-encoding": "gzip" } }),
        415,
      ],
      ["another boundary", postAs("multipart/form-data; boundary=other"), 400],
      ["garbage", postAs(type, "garbage"), 400],
      ["nothing in it", call("POST", AVATAR_PATH, { token, ...buildMultipartForm([]) }), 422],
      ["another field", upload(token, [{ bytes, name: "avatar" }]), 422],
      ["a field of the prototype", upload(token, [{ bytes, name: "__proto__" }]), 422],
      ["a field that is no file", upload(token, [{ bytes, filename: null }]), 422],
      ["two files", upload(token, [{ bytes }, { bytes }]), 422],
      ["a value after the file", upload(token, [{ bytes }, { bytes: "1", name: "x", filename: null }]), 200],
      ["no end", upload(token, [{ bytes }], { end: false }), 400],
      ["an endless head", upload(token, [{ bytes, filename: "x".repeat(5000) }]), 400],
      ["something after the end", postAs(type, Buffer.concat([Buffer.from(raw), Buffer.alloc(9000)])), 200],
    ];
    for (const [caseName, response, status] of attempts)
      expect((await response).status, caseName).toBe(status);
    expect((await upload(token, bytes)).status).toBe(200);
  });

  it("is reported as missing without a body", async () => {
    const { token } = await makeSignedInUser();
    const headers = [`Authorization: Bearer ${token}`, "Content-Type: text/plain", "Connection: close"];
    const requestText = buildRequestText(`POST ${AVATAR_PATH} HTTP/1.1`, headers);
    expect((await sendRawRequest(port, `${requestText}\r\n`, { timeout: 60_000 })).statuses).toEqual([422]);
  });

  it("may arrive byte by byte, and leaves no file when the connection breaks", async () => {
    const { token } = await makeSignedInUser();
    const { raw, headers } = buildMultipartForm([
      { bytes: await makeTwoColourImage(9, 9).jpeg({ quality: 20 }).toBuffer() },
    ]);
    const requestHeaders = { ...headers, authorization: `Bearer ${token}`, "x-forwarded-for": "10.9.9.9" };
    const options = {
      host: "127.0.0.1",
      port,
      method: "POST",
      path: AVATAR_PATH,
      headers: requestHeaders as Record<string, string>,
    };
    const slowStatus = await new Promise<number>((resolve, reject) => {
      const req = request(options, (res) => resolve(res.resume().statusCode!));
      req.on("error", reject);
      req.setNoDelay(true);
      void (async () => {
        for (const byte of raw as Buffer) {
          if (!req.write(Buffer.from([byte]))) await new Promise((drained) => req.once("drain", drained));
        }
        req.end();
      })();
    });
    expect(slowStatus).toBe(200);
    const filesBefore = await listStoredFiles();
    await new Promise<void>((resolve) => {
      const req = request(options);
      req.on("error", () => resolve());
      req.write(raw.slice(0, 200));
      setTimeout(() => req.destroy(new Error("gone")), 100);
    });
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(await listStoredFiles()).toEqual(filesBefore);
  });

  it("is accepted with the session cookie from our own pages only", async () => {
    const user = await makeUser();
    const { secret } = (await exchangeForSession(withoutTransaction(), await makeToken(user.id)))!;
    const { raw, headers } = buildMultipartForm([{ bytes: await makeTwoColourImage().jpeg().toBuffer() }]);
    const postWithSession = (extraHeaders: Record<string, string>) =>
      call("POST", AVATAR_PATH, {
        raw,
        headers: { ...headers, cookie: `session=${secret}`, ...extraHeaders },
      });
    const foreignHeaders: Array<Record<string, string>> = [
      {},
      { origin: "http://evil.test" },
      { origin: "null" },
      { origin: "http://panel.test.evil.test" },
      { origin: "http://evil.test", "sec-fetch-site": "same-site" },
      { origin: "http://evil.test", "sec-fetch-site": "cross-site" },
    ];
    for (const extraHeaders of foreignHeaders)
      expect((await postWithSession(extraHeaders)).status, JSON.stringify(extraHeaders)).toBe(401);
    expect((await prisma().user.findUniqueOrThrow({ where: { id: user.id } })).avatarUrl).toBeNull();
    const ownHeaders: Array<Record<string, string>> = [
      { origin: "http://panel.test" },
      { "sec-fetch-site": "same-origin" },
    ];
    for (const extraHeaders of ownHeaders) expect((await postWithSession(extraHeaders)).status).toBe(200);
    const ownPageHeaders = { cookie: `session=${secret}`, origin: "http://panel.test" };
    expect((await call("GET", "/api/user", { headers: ownPageHeaders })).status, "for files only").toBe(401);
    expect((await call("DELETE", AVATAR_PATH, { headers: ownPageHeaders })).status).toBe(401);
  });

  it("gets the same response from the HTTP server and the route file", async () => {
    const route = (await listRouteFiles()).get("/api/[...rest]")!;
    const bytes = await makeTwoColourImage().jpeg().toBuffer();
    const bodies = [
      buildMultipartForm([{ bytes }]),
      buildMultipartForm([{ bytes: "GIF89a" }]),
      buildMultipartForm([{ bytes }, { bytes }]),
      buildMultipartForm([{ bytes }], { end: false }),
      buildMultipartForm([{ bytes: Buffer.alloc(FIVE_MEGABYTES + 1, 1) }]),
      buildMultipartForm([]),
      { raw: "{}", headers: { "content-type": "application/json" } },
    ];
    for (const body of bodies) {
      const [nodeResponse, webResponse] = [
        await call("POST", AVATAR_PATH, { ...body, token: (await makeSignedInUser()).token }),
        await callRoute(route, "POST", AVATAR_PATH, { ...body, token: (await makeSignedInUser()).token }),
      ];
      expect(webResponse.status).toBe(nodeResponse.status);
      const maskFileName = (response: TestResponse) => response.text.replace(/[0-9A-Z]{26}/, "");
      expect(maskFileName(webResponse)).toBe(maskFileName(nodeResponse));
    }
  });
});

describe("a stored picture", () => {
  it("is deleted when it is replaced or removed", async () => {
    const { token } = await makeSignedInUser();
    const image = await makeTwoColourImage().jpeg().toBuffer();
    const firstUrl = (await upload(token, image)).json.avatar_url;
    const secondUrl = (await upload(token, image)).json.avatar_url;
    expect((await fetchPathOf(firstUrl)).status, "until the job has run").toBe(200);
    await runJobs();
    expect([(await fetchPathOf(firstUrl)).status, (await fetchPathOf(secondUrl)).status]).toEqual([404, 200]);
    const removalResponse = await call("DELETE", AVATAR_PATH, { token });
    expect(removalResponse).toMatchObject({ status: 200, json: { avatar_url: null } });
    await runJobs();
    expect((await fetchPathOf(secondUrl)).status).toBe(404);
    expect((await call("DELETE", AVATAR_PATH, { token })).status).toBe(200);
    const externalAvatarUser = await makeUser({ avatarUrl: "https://elsewhere.test/media/avatars/x.png" });
    expect(
      (await call("DELETE", AVATAR_PATH, { token: await makeToken(externalAvatarUser.id) })).status,
    ).toBe(200);
    await runJobs();
  });

  it("is swept when no account uses it", async () => {
    const { id, token } = await makeSignedInUser();
    const url = (await upload(token, await makeTwoColourImage().jpeg().toBuffer())).json.avatar_url as string;
    const name = url.split("/").at(-1)!;
    await writeFile(join(getAvatarFolder(), "0RPHAN.webp"), "x");
    await writeFile(join(getAvatarFolder(), "0NEW.webp"), "x");
    const twoHoursAgo = new Date(Date.now() - 2 * 3_600_000);
    for (const fileName of ["0RPHAN.webp", name])
      await utimes(join(getAvatarFolder(), fileName), twoHoursAgo, twoHoursAgo);
    await sweepAvatarsJob();
    expect(await listStoredFiles()).toEqual(expect.arrayContaining(["0NEW.webp", name]));
    expect(await listStoredFiles()).not.toContain("0RPHAN.webp");
    await prisma().user.update({ where: { id }, data: { avatarUrl: null } });
    await sweepAvatarsJob();
    expect(await listStoredFiles()).not.toContain(name);
  });

  it("is served by its name only, and no other path below /media", async () => {
    const { token } = await makeSignedInUser();
    const url = (await upload(token, await makeTwoColourImage().jpeg().toBuffer())).json.avatar_url as string;
    const path = new URL(url).pathname;
    const wrongPaths = [
      "/media/",
      "/media/avatars",
      "/media/avatars/",
      `${path}/`,
      `${path}.part`,
      path.replace("webp", "png"),
      "/media/avatars/../../app-secret",
      "/media/avatars/%2e%2e/%2e%2e/app-secret",
      "/media/avatars/..%2f..%2fapp-secret",
      "/media//avatars/x.webp",
      "/media/exports/x.zip",
      `${path}%00`,
    ];
    const { GET } = (await import("@/app/media/[...key]/route")) as {
      GET: (request: Request) => Promise<Response>;
    };
    for (const wrongPath of wrongPaths) {
      const { status, headers } = await sendHttp(port, "GET", wrongPath);
      expect(status, wrongPath).toBe(404);
      expect(headers["x-content-type-options"], wrongPath).toBe("nosniff");
    }
    expect((await sendHttp(port, "POST", path)).status).toBe(405);
    expect((await sendHttp(port, "HEAD", path)).text).toBe("");
    const routeResponse = await GET(new Request(url));
    const serverResponse = await sendHttp(port, "GET", path);
    expect(Buffer.from(await routeResponse.arrayBuffer())).toEqual(serverResponse.bytes);
    for (const name of ["content-type", "content-security-policy", "cache-control", "x-content-type-options"])
      expect(routeResponse.headers.get(name)).toBe(serverResponse.headers[name]);
  });
});
