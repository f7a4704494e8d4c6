import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeToken, makeUser } from "@/server/testing/factories";
import { sendHttp } from "@/server/testing/http";
import { buildMultipartForm } from "@/server/testing/multipart";
import { startTestServer } from "@/server/testing/server";

const { call, port } = await startTestServer();
const film = await readFile(join(import.meta.dirname, "../../../testing/media/film.mp4"));
const token = await makeToken((await makeUser({ locale: "en" })).id);
const upload = (bytes: Uint8Array) =>
  call("POST", "/api/media/upload", { token, ...buildMultipartForm([{ bytes, filename: "film.mp4" }]) });

describe("the location in a video", () => {
  const buildBox = (type: string, ...content: (Buffer | string)[]) => {
    const body = Buffer.concat(
      content.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : part)),
    );
    const head = Buffer.alloc(8);
    head.writeUInt32BE(body.length + 8);
    head.write(type, 4, "latin1");
    return Buffer.concat([head, body]);
  };
  const uint32 = (value: number) => Buffer.from([0, 0, 0, value]);
  const LOCATION = "+41.0082+028.9784/";
  const buildDataBox = (value: string) => buildBox("data", uint32(1), uint32(0), value);
  const buildKeyBox = (name: string) => buildBox("mdta", `com.apple.quicktime.${name}`);
  const appleBoxes = (version: string) =>
    buildBox(
      "meta",
      version,
      buildBox("hdlr", `${"\0".repeat(8)}mdta`),
      buildBox("keys", uint32(0), uint32(2), buildKeyBox("location.ISO6709"), buildKeyBox("make")),
      buildBox(
        "ilst",
        buildBox("\0\0\0\x01", buildDataBox(LOCATION)),
        buildBox("\0\0\0\x02", buildDataBox("Kaya Phone")),
      ),
    );
  const xmpContent = Buffer.concat([
    Buffer.from("be7acfcb97a942e89c71999491e3afac", "hex"),
    Buffer.from(`<x:gps>${LOCATION}`),
  ]);
  const toolBox = buildBox("\xa9too", "Kaya Camera");

  it.each([
    ["QuickTime's box", buildBox("udta", toolBox, buildBox("\xa9xyz", "\0\x12\x15\xc7", LOCATION))],
    [
      "3GPP's box of a track",
      buildBox("trak", buildBox("udta", buildBox("loci", uint32(0), `\0\0${LOCATION}`), toolBox)),
    ],
    ["Apple's keys", Buffer.concat([appleBoxes(""), toolBox])],
    ["Apple's keys in user data", buildBox("udta", appleBoxes("\0\0\0\0"), toolBox)],
    [
      "a list of tags",
      buildBox(
        "udta",
        buildBox(
          "meta",
          uint32(0),
          buildBox("hdlr"),
          buildBox("ilst", buildBox("\xa9xyz", buildDataBox(LOCATION)), toolBox),
        ),
      ),
    ],
    [
      "XMP",
      Buffer.concat([buildBox("uuid", xmpContent), buildBox("udta", toolBox, buildBox("XMP_", LOCATION))]),
    ],
    ["GoPro's box", buildBox("udta", buildBox("GPMF", LOCATION), toolBox)],
  ])("is removed from %s; all other bytes keep their offsets", async (_, extraBoxes) => {
    const moovAt = film.indexOf("moov") - 4;
    const end = moovAt + film.readUInt32BE(moovAt);
    const filmWithLocation = Buffer.concat([
      film.subarray(0, moovAt),
      buildBox("moov", film.subarray(moovAt + 8, end), extraBoxes),
      film.subarray(end),
    ]);
    const { status, json } = await upload(filmWithLocation);
    expect(status, JSON.stringify(json)).toBe(201);
    const servedBytes = (await sendHttp(port, "GET", new URL(json.url).pathname)).bytes!;
    expect(servedBytes.includes(LOCATION)).toBe(false);
    expect(servedBytes.length).toBe(filmWithLocation.length);
    expect(servedBytes.subarray(0, end)).toEqual(filmWithLocation.subarray(0, end));
    expect(servedBytes.includes(toolBox)).toBe(true);
    if (extraBoxes.includes("Kaya Phone")) expect(servedBytes.includes("Kaya Phone")).toBe(true);
    expect(json.media).toMatchObject({ width: 64, duration: 1 });
  });

  it("is refused in too many or too deeply nested boxes", async () => {
    const deepBoxes = Array.from({ length: 50 }).reduce<Buffer>((inner) => buildBox("udta", inner), toolBox);
    const manyBoxes = buildBox("udta", Buffer.alloc(8 * 20_000, buildBox("abcd")));
    for (const extraBoxes of [deepBoxes, manyBoxes]) {
      const { status, json } = await upload(Buffer.concat([film, extraBoxes]));
      expect([status, Object.keys(json.errors)]).toEqual([422, ["file"]]);
    }
  });
});
