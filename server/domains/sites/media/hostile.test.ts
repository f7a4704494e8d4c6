import { readdir, readFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { deflateRawSync, deflateSync, gzipSync, inflateRawSync } from "node:zlib";
import sharp from "sharp";
import { afterEach, describe, expect, it } from "vitest";
import { prisma } from "@/server/infrastructure/database/client";
import { makeSignedInUser } from "@/server/testing/factories";
import {
  createAsfLoop,
  createHostileFilms,
  createIsoBox,
  createNestedBomb,
  createRawZip,
} from "@/server/testing/hostile-files";
import { sendHttp } from "@/server/testing/http";
import { buildMultipartForm } from "@/server/testing/multipart";
import { buildRequestText, sendRawRequest } from "@/server/testing/raw-socket";
import { startTestServer } from "@/server/testing/server";
import { toTextPattern } from "@/server/testing/texts";

const { call, port } = await startTestServer({ env: { RATE_LIMITS: "relaxed" } });
const { id, token } = await makeSignedInUser({ locale: "en" });
const readSample = (name: string) => readFile(join(import.meta.dirname, "../../../testing/media", name));
const upload = (bytes: Uint8Array | string, filename: string) =>
  call("POST", "/api/media/upload", { token, ...buildMultipartForm([{ bytes, filename }]) });
const listSpoolFiles = () => readdir(join(process.env.DATA_DIR!, "spool")).catch(() => []);
afterEach(async () => {
  // The tests upload more than sixty files an hour.
  await prisma().rateLimit.deleteMany();
  await expect.poll(listSpoolFiles, { message: "refused files are removed" }).toEqual([]);
});

async function getRefusal(bytes: Uint8Array | string, name: string): Promise<string> {
  const { status, json } = await upload(bytes, name);
  expect(status, name).toBe(422);
  expect(Object.keys(json.errors ?? {}), name).toEqual(["file"]);
  return json.errors.file[0];
}

describe("an archive", () => {
  const entry = { compressed: deflateRawSync(Buffer.alloc(1000)), size: 1000 };
  const typesEntry = (content: string) => ({
    name: "[Content_Types].xml",
    compressed: deflateRawSync(content),
    size: content.length,
  });

  it.each([
    ["of archives of archives", () => createNestedBomb(), "too large when unpacked"],
    [
      "of 10 GB in one entry",
      () => createRawZip([{ ...entry, name: "a", size: 0xfffffffe }]),
      "too large when unpacked",
    ],
    [
      "of 10,001 entries",
      () => createRawZip(Array.from({ length: 10_001 }, (_, at) => ({ ...entry, name: `${at}` }))),
      "too many files",
    ],
    [
      "of 50,000 entries",
      () => createRawZip(Array.from({ length: 50_000 }, () => ({ ...entry, name: "a" }))),
      "too many files",
    ],
    [
      "with a parent path",
      () => createRawZip([{ ...entry, name: "../../etc/passwd" }]),
      "outside its folder",
    ],
    ["with an absolute path", () => createRawZip([{ ...entry, name: "/etc/passwd" }]), "outside its folder"],
    ["with a Windows path", () => createRawZip([{ ...entry, name: "a\\..\\b" }]), "outside its folder"],
    ["with a drive letter", () => createRawZip([{ ...entry, name: "C:/a" }]), "outside its folder"],
    ["with a NUL in a name", () => createRawZip([{ ...entry, name: "a.txt\0.exe" }]), "outside its folder"],
    ["that is encrypted", () => createRawZip([{ ...entry, name: "a", flags: 1 }]), "encrypted"],
    ["without entries", () => Buffer.from(`PK\x05\x06${"\0".repeat(18)}`, "latin1"), "archive is empty"],
    [
      "with the parts of a document",
      () => createRawZip([typesEntry("<Types/>"), { ...entry, name: "word/document.xml" }]),
      "Office Open XML",
    ],
    [
      "with a bomb as its list of types",
      () => createRawZip([typesEntry(" ".repeat(90_000_000)), { ...entry, name: "word/document.xml" }]),
      "too large",
    ],
    [
      "with a directory outside the file",
      () => {
        const zip = createRawZip([{ ...entry, name: "a" }]);
        zip.writeUInt32LE(0x7fffffff, zip.length - 6);
        return zip;
      },
      "damaged",
    ],
    [
      "with its directory at the start",
      () => {
        const zip = createRawZip([{ ...entry, name: "a" }]);
        zip.writeUInt32LE(0, zip.length - 6);
        return zip;
      },
      "damaged",
    ],
  ])("%s is refused with a reason", async (_, makeFile, reason) => {
    expect(await getRefusal(makeFile(), "a.zip")).toContain(reason);
  });

  const zeros = Buffer.alloc(50_000_000);
  const compressedZeros = deflateRawSync(zeros);
  const storedEntry = (name: string, content: Buffer) =>
    ({ name, compressed: content, size: content.length, method: 0 }) as const;
  const bomb = createRawZip([{ name: "a", compressed: compressedZeros, size: zeros.length }]);
  const wrapInZips = (content: Buffer, levels: number): Buffer =>
    levels === 0 ? content : wrapInZips(createRawZip([storedEntry("a.dat", content)]), levels - 1);

  it.each([
    [
      "with entries larger than both headers state",
      () => createRawZip([{ name: "a", compressed: compressedZeros, size: 100_000 }]),
      "too large",
    ],
    [
      "with entries larger than the directory states",
      () => {
        const zip = createRawZip([{ name: "a", compressed: compressedZeros, size: zeros.length }]);
        zip.writeUInt32LE(100_000, zip.indexOf("PK\x01\x02") + 24);
        return zip;
      },
      "damaged",
    ],
    [
      "with different names in directory and header",
      () => {
        const zip = createRawZip([{ ...entry, name: "word/vbaProject.bin" }]);
        zip.write("word/readmeFile.txt", zip.indexOf("PK\x01\x02") + 46);
        return zip;
      },
      "damaged",
    ],
    [
      "with overlapping entries",
      () => {
        const zip = createRawZip(["a", "b"].map((name) => ({ ...entry, name })));
        zip.write("a", 30 + 1 + entry.compressed.length + 30);
        zip.writeUInt32LE(0, zip.lastIndexOf("PK\x01\x02") + 42);
        zip.write("a", zip.lastIndexOf("PK\x01\x02") + 46);
        return zip;
      },
      "too large",
    ],
    ["that stores a bomb", () => createRawZip([storedEntry("a.zip", bomb)]), "too large"],
    [
      "that stores a bomb under another name",
      () => createRawZip([storedEntry("photo.dat", bomb)]),
      "too large",
    ],
    [
      "that packs a bomb",
      () => createRawZip([{ name: "a", compressed: deflateRawSync(bomb), size: bomb.length }]),
      "too large",
    ],
    ["that stores a bomb of GZIP", () => createRawZip([storedEntry("a.gz", gzipSync(zeros))]), "too large"],
    ["of six levels", () => wrapInZips(bomb, 6), "too large"],
  ])("%s is refused with a reason", async (_, makeFile, reason) => {
    expect(await getRefusal(makeFile(), "a.zip")).toContain(reason);
  });

  it("is stored if valid, with nested archives and with sizes after the content", async () => {
    const zipWithTrailingSizes = createRawZip([{ ...entry, name: "a", flags: 8 }]);
    zipWithTrailingSizes.fill(0, 14, 26);
    const innerEntries = [
      storedEntry("letter.docx", await readSample("letter.docx")),
      storedEntry("notes.zip", await readSample("notes.zip")),
      storedEntry("log.gz", gzipSync("a log\n".repeat(1000))),
      storedEntry("broken.zip", Buffer.from("PK\x03\x04 and no more")),
      storedEntry("deep.zip", wrapInZips(zipWithTrailingSizes, 2)),
    ];
    for (const zip of [
      zipWithTrailingSizes,
      createRawZip(innerEntries),
      wrapInZips(createRawZip(innerEntries), 1),
    ])
      expect((await upload(zip, "a.zip")).status).toBe(201);
  });

  // refused-quine.zip was made for this test by the method of Russ Cox, "Zip Files All The Way Down".
  it("is refused when it contains itself", async () => {
    const zip = await readSample("refused-quine.zip");
    const start = 30 + zip.readUInt16LE(26);
    const length = zip.readUInt32LE(18);
    expect(inflateRawSync(zip.subarray(start, start + length)), "a true quine").toEqual(zip);
    expect(await getRefusal(zip, "a.zip")).toMatch(toTextPattern("validation.media_endless"));
  });

  it("with a hundred very long names is stored", async () => {
    const name = `${"n".repeat(60_000)}`;
    const zip = createRawZip(Array.from({ length: 100 }, (_, at) => ({ ...entry, name: `${at}${name}` })));
    expect((await upload(zip, "names.zip")).status).toBe(201);
  });
});

describe("a video", () => {
  it.each(Object.entries(createHostileFilms()))("with %s is refused with a reason", async (_, bytes) => {
    expect(await getRefusal(bytes, "film.mp4")).toContain("MP4 file is damaged");
  });

  it("with the brand of another format is refused with its name", async () => {
    for (const [brand, format] of [
      ["qt  ", "QuickTime"],
      ["heic", "HEIC"],
      ["M4P ", "DRM"],
      ["????", "ISO"],
    ] as const) {
      const film = await readSample("film.mp4");
      const length = film.readUInt32BE(0);
      const filmWithBrand = Buffer.concat([
        createIsoBox("ftyp", Buffer.from(`${brand}\0\0\0\0${brand}`)),
        film.subarray(length),
      ]);
      expect(await getRefusal(filmWithBrand, "film.mp4")).toContain(format);
    }
  });
});

describe("a video after other boxes", () => {
  it.each(["free", "skip", "wide", "uuid"])("such as %s is refused as a damaged MP4", async (type) => {
    const film = Buffer.concat([createIsoBox(type, Buffer.alloc(24)), await readSample("film.mp4")]);
    expect(await getRefusal(film, "film.mp4")).toContain("MP4 file is damaged");
    const quickTimeFilm = Buffer.concat([
      createIsoBox(type, Buffer.alloc(24)),
      createIsoBox("ftyp", Buffer.from("qt  \0\0\0\0qt  ")),
    ]);
    expect(await getRefusal(quickTimeFilm, "film.mp4")).not.toContain("MP4 file is damaged");
  });
});

describe("an image", () => {
  function makePng(sidePx: number): Buffer {
    const buildChunk = (type: string, content: Buffer) => {
      const body = Buffer.concat([Buffer.from(type), content]);
      const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
      length.writeUInt32BE(content.length);
      checksum.writeUInt32BE(computeCrc(body));
      return Buffer.concat([length, body, checksum]);
    };
    const header = Buffer.alloc(13);
    header.writeUInt32BE(sidePx, 0);
    header.writeUInt32BE(sidePx, 4);
    header[8] = 1;
    const rows = deflateSync(Buffer.alloc(Math.min((sidePx / 8 + 1) * sidePx, 50_000_000)));
    return Buffer.concat([
      Buffer.from("\x89PNG\r\n\x1A\n", "latin1"),
      buildChunk("IHDR", header),
      buildChunk("IDAT", rows),
      buildChunk("IEND", Buffer.alloc(0)),
    ]);
  }
  const computeCrc = (bytes: Buffer) => {
    let checksum = 0xffffffff;
    for (const byte of bytes) {
      checksum ^= byte;
      for (let bit = 0; bit < 8; bit++) checksum = (checksum >>> 1) ^ (checksum & 1 ? 0xedb88320 : 0);
    }
    return ~checksum >>> 0;
  };

  it.each([false, true])(
    "is stored if up to two bytes at the end are missing, refused if more are (progressive: %s)",
    async (progressive) => {
      const noise = Buffer.from(
        Array.from({ length: 160 * 120 * 3 }, (_, at) => (at * at * 31 + (at >> 4)) % 256),
      );
      const photo = await sharp(noise, { raw: { width: 160, height: 120, channels: 3 } })
        .jpeg({ progressive })
        .toBuffer();
      const uploadAvatar = async (bytes: Buffer) =>
        (
          await call("POST", "/api/user/avatar", {
            token,
            ...buildMultipartForm([{ bytes, filename: "a.jpg" }]),
          })
        ).status;
      for (const missingByteCount of [1, 2]) {
        const bytes = photo.subarray(0, photo.length - missingByteCount);
        const { status, json } = await upload(bytes, "a.jpg");
        expect([missingByteCount, status, json.media?.width]).toEqual([missingByteCount, 201, 160]);
        expect(await uploadAvatar(bytes)).toBeLessThan(300);
      }
      for (const remainingByteCount of [photo.length - 60, photo.length / 2, photo.length / 4]) {
        const bytes = photo.subarray(0, remainingByteCount);
        expect(await getRefusal(bytes, "a.jpg")).toContain("JPEG file is damaged");
        expect(await uploadAvatar(bytes)).toBe(422);
      }
    },
  );

  it("of 50,000 by 50,000 pixels is refused before decoding", async () => {
    expect(await getRefusal(makePng(50_000), "a.png")).toContain("40");
  });

  it("with more than a hundred frames is refused", async () => {
    const frames = Array.from({ length: 101 }, (_, at) =>
      sharp({ create: { width: 4, height: 4, channels: 3, background: at % 2 ? "red" : "blue" } })
        .png()
        .toBuffer(),
    );
    const animation = await sharp(await Promise.all(frames), { join: { animated: true } })
      .webp({ loop: 0, lossless: true })
      .toBuffer();
    expect(await getRefusal(animation, "a.webp")).toContain("40");
  });
});

describe("a file of two formats", () => {
  it("is stored as the format it starts with; an unknown start is refused", async () => {
    const archive = createRawZip([{ name: "a.class", compressed: Buffer.alloc(0), size: 0, method: 0 }]);
    expect(await getRefusal(Buffer.concat([Buffer.from("GIF89a"), archive]), "a.jar")).toContain("GIF");
    expect(await getRefusal(Buffer.concat([Buffer.from("#!/bin/sh\n"), archive]), "a.zip")).toMatch(
      toTextPattern("validation.media_unknown"),
    );
    expect(await getRefusal(Buffer.concat([archive, await readSample("photo.jpg")]), "a.zip")).toContain(
      "damaged",
    );
    const photo = Buffer.concat([
      await readSample("photo.jpg"),
      Buffer.from("<script>alert(1)</script>"),
      archive,
    ]);
    const uploadedPhoto = (await upload(photo, "a.jpg")).json;
    const response = await sendHttp(port, "GET", new URL(uploadedPhoto.url).pathname);
    expect([response.bytes!.includes("<script>"), response.bytes!.includes("PK\x03\x04")]).toEqual([
      false,
      false,
    ]);
    const letter = Buffer.concat([
      Buffer.from("%PDF-1.4\n<script>alert(1)</script>\n"),
      archive,
      Buffer.from("\n%%EOF"),
    ]);
    const servedLetter = await sendHttp(
      port,
      "GET",
      new URL((await upload(letter, "a.pdf")).json.url).pathname,
    );
    expect(servedLetter).toMatchObject({
      headers: {
        "content-type": "application/pdf",
        "content-disposition": 'attachment; filename="a.pdf"',
        "x-content-type-options": "nosniff",
      },
    });
  });

  it("is refused as audio without endless parsing", async () => {
    expect(await getRefusal(createAsfLoop(), "a.mp3")).toContain("ASF");
    expect(await getRefusal(Buffer.from("ID3\x04\0\0\x7F\x7F\x7F\x7F", "latin1"), "a.mp3")).toContain(
      "MP3 file is damaged",
    );
    expect(await getRefusal(Buffer.from("ID3\x04\0\0\xFF\xFF\xFF\xFF", "latin1"), "a.mp3")).toContain(
      "MP3 file is damaged",
    );
    expect(
      await getRefusal(Buffer.alloc(1_000_000, Buffer.from([0xff, 0xfb, 0xff, 0xff])), "a.mp3"),
    ).toContain("MP3 file is damaged");
    const reservedVersion = Buffer.concat([Buffer.from([0xff, 0xea, 0x10, 0]), Buffer.alloc(48)]);
    expect(await getRefusal(Buffer.alloc(100_000, reservedVersion), "a.mp3")).toContain(
      "MP3 file is damaged",
    );
    expect(
      await getRefusal(Buffer.alloc(100_000, Buffer.from([0xff, 0xf1, 0, 0, 0, 0, 0])), "a.aac"),
    ).toContain("AAC file is damaged");
    expect(await getRefusal(Buffer.alloc(1_000_000, "OggS\0"), "a.ogg")).toContain("OGG file is damaged");
    expect(await getRefusal(`<?xml version="1.0"?><!--${"-".repeat(900)}--><svg/>`, "a.svg")).toContain(
      "SVG",
    );
  });
});

describe("an upload form", () => {
  const postForm = (raw: Buffer, headers: Record<string, string>) =>
    sendHttp(port, "POST", "/api/media/upload", { token, raw, headers });

  it("with ten thousand parts is refused", async () => {
    const letter = await readSample("letter.pdf");
    const repeatPart = (part: object) =>
      buildMultipartForm(
        Array.from({ length: 10_000 }, (_, at) => ({ bytes: letter, filename: `${at}.pdf`, ...part })),
      );
    for (const { raw, headers } of [
      repeatPart({ bytes: "x" }),
      repeatPart({ name: "a", filename: null, bytes: "x" }),
      repeatPart({ name: "__proto__" }),
    ]) {
      const { status, json } = await postForm(raw as Buffer, headers as Record<string, string>);
      expect(status, JSON.stringify(json)).toBe(422);
      expect(json.errors?.file?.length ?? json.errors?.length, JSON.stringify(json)).toBe(1);
    }
    expect(await prisma().mediaFile.count({ where: { userId: id, name: "0.pdf" } })).toBe(0);
  });

  it("with a header of a megabyte, without an end or without a boundary is refused", async () => {
    const [head, tail] = ['--b\r\ncontent-disposition: form-data; name="file"; filename="', "\r\n--b--\r\n"];
    const type = { "content-type": "multipart/form-data; boundary=b" };
    const statuses = [
      await postForm(Buffer.from(`${head}${"x".repeat(1_000_000)}.pdf"\r\n\r\n%PDF-1.4\n%%EOF${tail}`), type),
      await postForm(Buffer.from(`${head}a.pdf"\r\n\r\n%PDF-1.4\n%%EOF`), type),
      await postForm(Buffer.from(`${head}a.pdf"\r\n\r\n%PDF-1.4\n%%EOF${tail}`), {
        "content-type": "multipart/form-data",
      }),
      await postForm(Buffer.from(`${head}a.pdf"\r\n\r\n%PDF-1.4\n%%EOF${tail}`), {
        "content-type": "application/pdf",
      }),
    ].map(({ status }) => status);
    expect(
      statuses.every((status) => status >= 400 && status < 500),
      String(statuses),
    ).toBe(true);
  });

  it("with a wrong content length stores nothing", async () => {
    const { raw } = buildMultipartForm([{ bytes: await readSample("letter.pdf"), filename: "lying.pdf" }]);
    const body = raw as Buffer;
    const buildRequestHead = (length: number) =>
      `POST /api/media/upload HTTP/1.1\r\nhost: panel.test\r\nauthorization: Bearer ${token}\r\ncontent-type: multipart/form-data; boundary=----tellal-test-boundary\r\ncontent-length: ${length}\r\n\r\n`;
    const getStatusLine = (length: number, closesEarly: boolean) =>
      new Promise<string>((resolve) => {
        let text = "";
        const socket = connect(port, "127.0.0.1", () => {
          socket.write(buildRequestHead(length));
          socket.write(body);
          if (closesEarly) socket.end();
        });
        socket.on("data", (bytes) => {
          text += bytes;
          if (/\r\n\r\n[\s\S]/.test(text)) socket.destroy();
        });
        socket.on("error", () => {});
        socket.on("close", () => resolve(text.split("\r\n")[0]!));
      });
    expect(await getStatusLine(body.length - 100, false), "shorter than it is").toMatch(/ 4\d\d /);
    expect(await getStatusLine(body.length + 100, true), "longer than it is").not.toMatch(/ 2\d\d /);
    expect(await getStatusLine(200 * 1_048_576, false), "more than is read of any").toMatch(/ 413 /);
    expect(await prisma().mediaFile.count({ where: { userId: id, name: "lying.pdf" } })).toBe(0);
  });

  it("that arrives byte by byte is aborted", async () => {
    const head = [
      `authorization: Bearer ${token}`,
      "content-type: multipart/form-data; boundary=b",
      "content-length: 50000",
    ];
    const start = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF-1.4\n';
    const lateBytes = Array.from({ length: 100 }, (_, index) => ({ after: index * 300, send: " " }));
    const { statuses, closedAfterMs } = await sendRawRequest(
      port,
      buildRequestText("POST /api/media/upload HTTP/1.1", head, start),
      { later: lateBytes, timeout: 60_000 },
    );
    expect(statuses).toEqual([408]);
    expect(closedAfterMs).toBeGreaterThan(5000);
    expect(closedAfterMs, "before the last byte").toBeLessThan(25_000);
  });

  it("with a path in the file name stores a safe name", async () => {
    const namePatterns: Array<[string, RegExp]> = [
      ["../../../../etc/cron.d/a.pdf", /^a\.pdf$/],
      ["C:\\Windows\\CON.pdf", /^CON\.pdf$/],
      [".htaccess.pdf", /^htaccess\.pdf$/],
      ["a\u202Efdp.exe.pdf", /^afdp\.exe\.pdf$/],
      [`${"ş".repeat(255)}.pdf`, /^ş+\.pdf$/],
      ["%00.pdf", /\.pdf$/],
      ["a%0d%0aset-cookie: a=b.pdf", /\.pdf$/],
    ];
    for (const [name, storedNamePattern] of namePatterns) {
      const { status, json } = await upload(await readSample("letter.pdf"), name);
      expect({ name, status }).toEqual({ name, status: 201 });
      expect(json.media.name).toMatch(storedNamePattern);
      const { headers } = await sendHttp(port, "HEAD", new URL(json.url).pathname);
      expect(headers["content-disposition"]).toMatch(
        /^attachment; filename="[a-z0-9-]{1,80}\.pdf"(; filename\*=UTF-8''[\w%.!~-]+)?$/,
      );
      expect(headers["set-cookie"]).toBeUndefined();
    }
  });
});
