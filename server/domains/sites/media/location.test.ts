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
  const box = (type: string, ...content: (Buffer | string)[]) => {
    const body = Buffer.concat(
      content.map((each) => (typeof each === "string" ? Buffer.from(each, "latin1") : each)),
    );
    const head = Buffer.alloc(8);
    head.writeUInt32BE(body.length + 8);
    head.write(type, 4, "latin1");
    return Buffer.concat([head, body]);
  };
  const uint32 = (value: number) => Buffer.from([0, 0, 0, value]);
  const LOCATION = "+41.0082+028.9784/";
  const data = (value: string) => box("data", uint32(1), uint32(0), value);
  const key = (name: string) => box("mdta", `com.apple.quicktime.${name}`);
  const appleBoxes = (version: string) =>
    box(
      "meta",
      version,
      box("hdlr", `${"\0".repeat(8)}mdta`),
      box("keys", uint32(0), uint32(2), key("location.ISO6709"), key("make")),
      box("ilst", box("\0\0\0\x01", data(LOCATION)), box("\0\0\0\x02", data("Kaya Phone"))),
    );
  const xmp = Buffer.concat([
    Buffer.from("be7acfcb97a942e89c71999491e3afac", "hex"),
    Buffer.from(`<x:gps>${LOCATION}`),
  ]);
  const tool = box("\xa9too", "Kaya Camera");

  it.each([
    ["QuickTime's box", box("udta", tool, box("\xa9xyz", "\0\x12\x15\xc7", LOCATION))],
    ["3GPP's box of a track", box("trak", box("udta", box("loci", uint32(0), `\0\0${LOCATION}`), tool))],
    ["Apple's keys", Buffer.concat([appleBoxes(""), tool])],
    ["Apple's keys in user data", box("udta", appleBoxes("\0\0\0\0"), tool)],
    [
      "a list of tags",
      box("udta", box("meta", uint32(0), box("hdlr"), box("ilst", box("\xa9xyz", data(LOCATION)), tool))),
    ],
    ["XMP", Buffer.concat([box("uuid", xmp), box("udta", tool, box("XMP_", LOCATION))])],
    ["GoPro's box", box("udta", box("GPMF", LOCATION), tool)],
  ])("is removed from %s; all other bytes keep their offsets", async (_, extraBoxes) => {
    const moovAt = film.indexOf("moov") - 4;
    const end = moovAt + film.readUInt32BE(moovAt);
    const filmWithLocation = Buffer.concat([
      film.subarray(0, moovAt),
      box("moov", film.subarray(moovAt + 8, end), extraBoxes),
      film.subarray(end),
    ]);
    const { status, json } = await upload(filmWithLocation);
    expect(status, JSON.stringify(json)).toBe(201);
    const servedBytes = (await sendHttp(port, "GET", new URL(json.url).pathname)).bytes!;
    expect(servedBytes.includes(LOCATION)).toBe(false);
    expect(servedBytes.length).toBe(filmWithLocation.length);
    expect(servedBytes.subarray(0, end)).toEqual(filmWithLocation.subarray(0, end));
    expect(servedBytes.includes(tool)).toBe(true);
    if (extraBoxes.includes("Kaya Phone")) expect(servedBytes.includes("Kaya Phone")).toBe(true);
    expect(json.media).toMatchObject({ width: 64, duration: 1 });
  });

  it("is refused in too many or too deeply nested boxes", async () => {
    const deepBoxes = Array.from({ length: 50 }).reduce<Buffer>((inner) => box("udta", inner), tool);
    const manyBoxes = box("udta", Buffer.alloc(8 * 20_000, box("abcd")));
    for (const extraBoxes of [deepBoxes, manyBoxes]) {
      const { status, json } = await upload(Buffer.concat([film, extraBoxes]));
      expect([status, Object.keys(json.errors)]).toEqual([422, ["file"]]);
    }
  });
});
