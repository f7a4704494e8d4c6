import { randomBytes } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeToken, makeUser } from "@/server/testing/factories";
import { createIsoBox } from "@/server/testing/hostile-files";
import { sendHttp } from "@/server/testing/http";
import { buildMultipartForm } from "@/server/testing/multipart";
import { startTestServer } from "@/server/testing/server";

const { call, port } = await startTestServer({ env: { RATE_LIMITS: "relaxed" } });
const token = await makeToken((await makeUser({ locale: "en" })).id);
const readSample = (name: string) => readFile(join(import.meta.dirname, "../../../testing/media", name));
const upload = (bytes: Uint8Array, filename: string) =>
  call("POST", "/api/media/upload", { token, ...buildMultipartForm([{ bytes, filename }]) });
const replaceText = (bytes: Buffer, from: string, to: string) =>
  Buffer.from(bytes.toString("latin1").replaceAll(from, to), "latin1");
const makeId3Tag = (length: number) =>
  Buffer.concat([
    Buffer.from([0x49, 0x44, 0x33, 4, 0, 0, 0, 0, length >> 7, length & 127]),
    Buffer.alloc(length),
  ]);
const makeId3v1Tag = () => Buffer.concat([Buffer.from("TAG"), Buffer.alloc(125, " ")]);
const makeApeTag = () => Buffer.concat([Buffer.from("APETAGEX"), Buffer.alloc(24)]);

function makeOggPage(packet: Buffer, { flags = 0, granule = 0n }): Buffer {
  const head = Buffer.alloc(27);
  head.write("OggS");
  head[5] = flags;
  head.writeBigInt64LE(granule, 6);
  head[26] = packet.length > 0 ? 1 : 0;
  return Buffer.concat([head, Buffer.alloc(head[26]!, packet.length), packet]);
}

describe("audio", () => {
  const readSong = () => readSample("song.mp3");
  it.each([
    ["two tags before it", async () => Buffer.concat([makeId3Tag(300), makeId3Tag(40), await readSong()])],
    [
      "padding after the tag",
      async () => Buffer.concat([makeId3Tag(300), Buffer.alloc(1500), await readSong()]),
    ],
    [
      "tags larger than the inspected start",
      async () =>
        Buffer.concat([
          makeId3Tag(16_000),
          ...Array.from({ length: 5 }, () => makeId3Tag(16_000)),
          await readSong(),
        ]),
    ],
    [
      "APE and ID3 tags at the end",
      async () => Buffer.concat([await readSong(), makeApeTag(), makeId3v1Tag()]),
    ],
  ])("with %s is stored as MP3", async (_, makeFile) => {
    const { status, json } = await upload(await makeFile(), "song.mp3");
    expect(status, JSON.stringify(json)).toBe(201);
    expect(json.media).toMatchObject({ mime_type: "audio/mpeg", kind: "audio" });
    expect(json.media.duration).toBeCloseTo(0.55, 1);
  });

  it.each([
    ["variable.mp3", "audio/mpeg", 4],
    ["voice.aac", "audio/aac", 0.5],
    ["voice.m4a", "audio/mp4", 0.5],
    ["vorbis.ogg", "audio/ogg", 0.5],
    ["note.ogg", "audio/ogg; codecs=opus", 0.5],
    ["chapters.m4a", "audio/mp4", 2],
    ["cover.m4a", "audio/mp4", 2],
  ])("%s is stored as %s with %d seconds", async (name, type, seconds) => {
    const { status, json } = await upload(await readSample(name), name);
    expect(status, JSON.stringify(json)).toBe(201);
    expect(json.media).toMatchObject({ kind: "audio", mime_type: type });
    expect(json.media.duration).toBeGreaterThan(seconds - 0.1);
    expect(json.media.duration).toBeLessThan(seconds + 0.2);
    const { headers } = await sendHttp(port, "HEAD", new URL(json.url).pathname);
    expect(headers["content-type"]).toBe(type);
  });

  it("in Speex is stored", async () => {
    const { status, json } = await upload(await readSample("speex.ogg"), "note.spx");
    expect([status, json.media?.name, json.media?.mime_type]).toEqual([201, "note.ogg", "audio/ogg"]);
  });

  it("in Speex or FLAC has a duration", async () => {
    expect((await upload(await readSample("speex.ogg"), "note.spx")).json.media.duration).toBeCloseTo(1, 1);
    // 44,100 samples a second; pages end after one, two and three seconds.
    const head = Buffer.from(
      "7f464c414301000001664c6143000000221200120000000000002415".padEnd(102, "0"),
      "hex",
    );
    head.writeUIntBE(44_100 << 4, 27, 3);
    const flac = Buffer.concat([
      makeOggPage(head, { flags: 2 }),
      makeOggPage(Buffer.alloc(20), {}),
      ...[1n, 2n, 3n].map((second) => makeOggPage(Buffer.alloc(200), { granule: second * 44_100n })),
    ]);
    const { status, json } = await upload(flac, "a.ogg");
    expect([status, json.media?.duration]).toEqual([201, 3]);
  });

  it("in chained parts has the duration of all parts, and a codec only if all parts share it", async () => {
    const [opus, vorbis] = [await readSample("note.ogg"), await readSample("vorbis.ogg")];
    for (const [parts, type] of [
      [[opus, opus, opus], "audio/ogg; codecs=opus"],
      [[vorbis, vorbis, vorbis], "audio/ogg"],
      [[opus, vorbis, opus], "audio/ogg"],
    ] as const) {
      const { json } = await upload(Buffer.concat(parts), "a.ogg");
      expect(json.media.mime_type).toBe(type);
      expect(json.media.duration).toBeGreaterThan(1.4);
      expect(json.media.duration).toBeLessThan(1.8);
    }
  });

  it("is refused when a later part is video", async () => {
    const bytes = Buffer.concat([await readSample("note.ogg"), await readSample("refused-theora.ogv")]);
    expect((await upload(bytes, "a.ogg")).json.errors?.file[0]).toContain("Theora");
  });

  it("cut from a long stream has the duration of the cut, or none if it has a single page", async () => {
    expect((await upload(await readSample("live.ogg"), "a.ogg")).json.media.duration).toBeCloseTo(3, 1);
    const bytes = await readSample("note.ogg");
    const granuleAt = bytes.lastIndexOf("OggS") + 6;
    bytes.writeBigInt64LE(bytes.readBigInt64LE(granuleAt) + 3600n * 48_000n, granuleAt);
    const { status, json } = await upload(bytes, "a.ogg");
    expect([status, json.media?.duration]).toEqual([201, null]);
  });

  it("of a hundred thousand pages is read in seconds", async () => {
    const firstPage = (await readSample("note.ogg")).subarray(0, 47);
    const page = makeOggPage(Buffer.alloc(0), { flags: 2 });
    const startedAt = performance.now();
    const bytes = Buffer.concat([firstPage, Buffer.alloc(27 * 100_000, page)]);
    expect((await upload(bytes, "a.ogg")).status).toBe(422);
    const latePage = makeOggPage(Buffer.alloc(0), { granule: 1n });
    expect(
      (await upload(Buffer.concat([firstPage, Buffer.alloc(27 * 100_000, latePage)]), "a.ogg")).status,
    ).toBe(422);
    expect(performance.now() - startedAt).toBeLessThan(30_000);
  });

  it("with AAC in a 3GPP container is M4A under any accepted name", async () => {
    const bytes = replaceText(await readSample("voice.m4a"), "M4A ", "3gp4");
    for (const name of ["Voice 001.m4a", "Voice 001.3gp", "Voice 001.3ga", "Voice 001.mp4"]) {
      const { status, json } = await upload(bytes, name);
      expect([status, json.media?.name, json.media?.mime_type]).toEqual([201, "Voice 001.m4a", "audio/mp4"]);
    }
  });

  it("is refused with its format when it is AMR, encrypted, layer 2 or FLAC", async () => {
    const phoneRecording = replaceText(await readSample("voice.m4a"), "M4A ", "3gp4");
    const layer2 = Buffer.alloc(3 * 417);
    for (let at = 0; at < 3; at++) Buffer.from([0xff, 0xfd, 0x80, 0]).copy(layer2, at * 417);
    for (const [bytes, name, format] of [
      [replaceText(phoneRecording, "mp4a", "samr"), "voice.3gp", "3GPP (AMR)"],
      [replaceText(await readSample("voice.m4a"), "mp4a", "drms"), "voice.m4a", "DRM"],
      [Buffer.concat([makeId3Tag(300), layer2]), "a.mp3", "MPEG audio layer 2"],
      [Buffer.concat([makeId3Tag(300), Buffer.from("fLaC\0\0\0\x22"), Buffer.alloc(4000)]), "a.mp3", "FLAC"],
    ] as const) {
      const { status, json } = await upload(bytes, name);
      expect(status, name).toBe(422);
      expect(json.errors.file[0]).toContain(format);
    }
  });
});

describe("audio that starts late", () => {
  const makeNoise = (length: number) =>
    Buffer.from(Array.from({ length }, (_, at) => (at * 7919 + (at >> 3)) % 255));
  const cutStart = (sound: Buffer) => sound.subarray(60);
  const BEGINNINGS: ReadonlyArray<[string, (sound: Buffer) => Buffer]> = [
    ["four zeros", (sound) => Buffer.concat([Buffer.alloc(4), sound])],
    ["a thousand zeros", (sound) => Buffer.concat([Buffer.alloc(1000), sound])],
    ["zeros and a tag", (sound) => Buffer.concat([Buffer.alloc(100), makeId3Tag(300), sound])],
    [
      "zeros and a large tag",
      (sound) => Buffer.concat([Buffer.alloc(100), ...Array(6).fill(makeId3Tag(16_000)), sound]),
    ],
    ["an APE tag", (sound) => Buffer.concat([makeApeTag(), makeNoise(2000), makeApeTag(), sound])],
    ["a part of a frame", cutStart],
    ["zeros and a part of a frame", (sound) => Buffer.concat([Buffer.alloc(50), cutStart(sound)])],
  ];

  it.each(BEGINNINGS)("is stored after %s, and served from its first frame", async (_, makeFile) => {
    for (const [name, seconds] of [
      ["song.mp3", 0.55],
      ["voice.aac", 0.5],
    ] as const) {
      const bytes = makeFile(await readSample(name));
      const { status, json } = await upload(bytes, name.toUpperCase());
      expect(status, JSON.stringify(json)).toBe(201);
      expect(json.media.duration).toBeGreaterThan(seconds - 0.1);
      expect(json.media.duration).toBeLessThan(seconds + 0.2);
      const servedBytes = (await sendHttp(port, "GET", new URL(json.url).pathname)).bytes!;
      expect(servedBytes.toString("latin1", 0, 3)).toMatch(/^(ID3|\xFF[\xE0-\xFF])/);
      expect([json.media.size, bytes.subarray(-servedBytes.length)]).toEqual([
        servedBytes.length,
        servedBytes,
      ]);
    }
  });

  it("is refused if it starts after 16 KB or after a program or page, has only three frames, or another name", async () => {
    const song = await readSample("song.mp3");
    for (const [bytes, name] of [
      [Buffer.concat([Buffer.alloc(17_000), song]), "a.mp3"],
      [Buffer.concat([Buffer.from("#!/bin/sh\n"), song]), "a.mp3"],
      [Buffer.concat([Buffer.from("MZ\x90\0"), song]), "a.mp3"],
      [Buffer.concat([Buffer.from("<html><script>"), song]), "a.mp3"],
      [Buffer.concat([Buffer.from("GIF89a\x01\0\x01\0\0\0\0"), song]), "a.mp3"],
      [Buffer.concat([Buffer.alloc(4), song.subarray(45, 436)]), "a.mp3"],
      [Buffer.concat([Buffer.alloc(4), song]), "a.zip"],
    ] as const)
      expect((await upload(bytes, name)).status, bytes.toString("latin1", 0, 20)).toBe(422);
  });

  it("is not detected in other formats or random bytes", async () => {
    const names = await readdir(join(import.meta.dirname, "../../../testing/media"));
    const refusedFiles = await Promise.all(
      names.filter((name) => name.startsWith("refused")).map(readSample),
    );
    const randomFiles = Array.from({ length: 8 }, (_, at) => randomBytes(8192 * (at + 1)));
    for (const bytes of [...refusedFiles, ...randomFiles, Buffer.alloc(70_000, 255), Buffer.alloc(70_000)])
      for (const name of ["a.mp3", "a.aac"])
        expect((await upload(bytes, name)).status, bytes.toString("latin1", 0, 20)).toBe(422);
  });
});

describe("a video", () => {
  it.each([
    ["upright.mp4", { width: 36, height: 64, duration: 1 }],
    ["wide-pixels.mp4", { width: 85, height: 36, duration: 1 }],
  ])("%s has its displayed size", async (name, expected) => {
    const { status, json } = await upload(await readSample(name), name);
    expect(status, JSON.stringify(json)).toBe(201);
    expect(json.media).toMatchObject(expected);
  });

  it("in fragments has a duration", async () => {
    const { json } = await upload(await readSample("fragmented.mp4"), "a.mp4");
    expect(json.media).toMatchObject({ width: 64, height: 36 });
    expect(json.media.duration).toBeGreaterThan(0.9);
  });

  it("in fragments has the total duration although its header states that of the first fragment", async () => {
    const film = await readSample("fragmented.mp4");
    const [scaleAt, at] = [12, film.indexOf("mvhd") + 4];
    film.writeUInt32BE(Math.round(film.readUInt32BE(at + scaleAt) * 0.4), at + scaleAt + 4);
    const { json } = await upload(film, "a.mp4");
    expect(json.media.duration).toBeCloseTo(1.4, 1);
  });

  it("in fragments has the total duration although its index contains only the first fragment", async () => {
    const film = await readSample("film.mp4");
    const unitsPerSecond = film.readUInt32BE(film.indexOf("mdhd") + 16);
    const encodeUint32s = (...values: number[]) =>
      Buffer.from(values.map((value) => value.toString(16).padStart(8, "0")).join(""), "hex");
    const buildFragment = (header: Buffer, table: Buffer) =>
      createIsoBox(
        "moof",
        createIsoBox("traf", Buffer.concat([createIsoBox("tfhd", header), createIsoBox("trun", table)])),
      );
    const mediaDataBox = createIsoBox("mdat", Buffer.alloc(40));
    const fragments = [
      buildFragment(encodeUint32s(8, 1, unitsPerSecond), encodeUint32s(0, 2)),
      mediaDataBox,
      buildFragment(
        encodeUint32s(0x2b, 1, 0, 0, 1, unitsPerSecond),
        encodeUint32s(0x305, 2, 0, 0, unitsPerSecond, 20, unitsPerSecond, 20),
      ),
      mediaDataBox,
    ];
    const { status, json } = await upload(Buffer.concat([film, ...fragments]), "a.mp4");
    expect([status, json.media?.duration]).toEqual([201, 5]);
  });

  it.each([
    [0, 1000],
    [0xffffffff, 1000],
    [0xffffffff, 90_000],
  ])("with %i in units of 1/%i in its header has the duration of its tracks", async (units, scale) => {
    for (const trackUnits of ["as they are", 0, 0xffffffff] as const) {
      const film = await readSample("film.mp4");
      const at = film.indexOf("mvhd") + 4;
      film.writeUInt32BE(scale, at + 12);
      film.writeUInt32BE(units, at + 16);
      if (typeof trackUnits === "number")
        for (let at = film.indexOf("mdhd"); at >= 0; at = film.indexOf("mdhd", at + 4))
          film.writeUInt32BE(trackUnits, at + 20);
      const { json } = await upload(film, "a.mp4");
      expect(json.media.duration).toBeCloseTo(1, 1);
    }
  });

  it("with years in its tables is stored without a duration", async () => {
    const film = await readSample("film.mp4");
    film.writeUInt32BE(0, film.indexOf("mvhd") + 20);
    for (let at = film.indexOf("mdhd"); at >= 0; at = film.indexOf("mdhd", at + 4))
      film.writeUInt32BE(0, at + 20);
    for (let at = film.indexOf("stts"); at >= 0; at = film.indexOf("stts", at + 4)) {
      for (const offset of [8, 12, 16]) film.writeUInt32BE(0xffffffff, at + offset);
    }
    const { status, json } = await upload(film, "a.mp4");
    expect([status, json.media?.duration]).toEqual([201, null]);
  });

  it("with billions of declared frames is stored without a duration", async () => {
    const film = await readSample("fragmented.mp4");
    for (let at = film.indexOf("trun"); at >= 0; at = film.indexOf("trun", at + 4)) {
      film.writeUInt32BE(0, at + 4);
      film.writeUInt32BE(0xffffffff, at + 8);
    }
    const { status, json } = await upload(film, "a.mp4");
    expect([status, json.media?.duration]).toEqual([201, null]);
  });

  it.each([
    ["a trailer of a phone", Buffer.from('vivo{"id":1}'.padEnd(400, "~"))],
    ["padding", Buffer.alloc(3000)],
    ["three bytes", Buffer.from("abc")],
    ["free space", createIsoBox("free", Buffer.alloc(100))],
  ])("with %s after the last box is stored unchanged", async (_, trailer) => {
    const film = Buffer.concat([await readSample("film.mp4"), trailer]);
    const { status, json } = await upload(film, "film.mp4");
    expect(status, JSON.stringify(json)).toBe(201);
    expect(json.media).toMatchObject({ width: 64, height: 48, duration: 1 });
    expect((await sendHttp(port, "GET", new URL(json.url).pathname)).bytes).toEqual(film);
  });

  it("is refused when frames are cut off or its only track is damaged", async () => {
    const film = await readSample("fragmented.mp4");
    const silentFilm = await readSample("upright.mp4");
    for (const bytes of [film.subarray(0, film.length - 300), replaceText(silentFilm, "vide", "vidx")]) {
      const { status, json } = await upload(bytes, "film.mp4");
      expect(status).toBe(422);
      expect(json.errors.file[0]).toContain("MP4 file is damaged");
    }
    const { status } = await upload(replaceText(film, "vide", "vidx"), "film.mp4");
    expect(status, "only the audio track is left").toBe(422);
  });
});

describe("damage that could cause endless reading", () => {
  it("AAC with a frame of length zero is stored without a duration", async () => {
    const voice = await readSample("voice.aac");
    const secondFrameAt = ((voice[3]! & 3) << 11) | (voice[4]! << 3) | (voice[5]! >> 5);
    const thirdFrameAt =
      secondFrameAt +
      (((voice[secondFrameAt + 3]! & 3) << 11) |
        (voice[secondFrameAt + 4]! << 3) |
        (voice[secondFrameAt + 5]! >> 5));
    voice[thirdFrameAt + 3]! &= 0xfc;
    voice[thirdFrameAt + 4] = 0;
    voice[thirdFrameAt + 5]! &= 0x1f;
    const { status, json } = await upload(voice, "a.aac");
    expect([status, json.media?.duration]).toEqual([201, null]);
  });

  it("a video with billions of sample sizes is stored, because the table is not read", async () => {
    const film = await readSample("film.mp4");
    for (let at = film.indexOf("stsz"); at >= 0; at = film.indexOf("stsz", at + 4)) {
      film.writeUInt32BE(1, at + 8);
      film.writeUInt32BE(0xffffffff, at + 12);
    }
    const { status, json } = await upload(film, "a.mp4");
    expect([status, json.media?.duration]).toEqual([201, 1]);
  });

  it("a video with a damaged pixel shape is stored without a size", async () => {
    const film = await readSample("wide-pixels.mp4");
    const at = film.indexOf("pasp");
    film.writeUInt32BE(0xffffffff, at + 4);
    film.writeUInt32BE(1, at + 8);
    const { status, json } = await upload(film, "a.mp4");
    expect([status, json.media?.width, json.media?.height]).toEqual([201, null, null]);
  });
});
