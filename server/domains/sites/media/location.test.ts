import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeToken, makeUser } from "@/server/testing/factories";
import { send } from "@/server/testing/http";
import { multipartForm } from "@/server/testing/multipart";
import { testServer } from "@/server/testing/server";

const { call, port } = await testServer();
const film = await readFile(join(import.meta.dirname, "../../../testing/media/film.mp4"));
const token = await makeToken((await makeUser({ locale: "en" })).id);
const upload = (bytes: Uint8Array) =>
  call("POST", "/api/media/upload", { token, ...multipartForm([{ bytes, filename: "film.mp4" }]) });

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
  const number = (value: number) => Buffer.from([0, 0, 0, value]);
  const PLACE = "+41.0082+028.9784/";
  const data = (value: string) => box("data", number(1), number(0), value);
  const key = (name: string) => box("mdta", `com.apple.quicktime.${name}`);
  const apple = (version: string) =>
    box(
      "meta",
      version,
      box("hdlr", `${"\0".repeat(8)}mdta`),
      box("keys", number(0), number(2), key("location.ISO6709"), key("make")),
      box("ilst", box("\0\0\0\x01", data(PLACE)), box("\0\0\0\x02", data("Kaya Phone"))),
    );
  const xmp = Buffer.concat([
    Buffer.from("be7acfcb97a942e89c71999491e3afac", "hex"),
    Buffer.from(`<x:gps>${PLACE}`),
  ]);
  const tool = box("\xa9too", "Kaya Camera");

  it.each([
    ["QuickTime's box", box("udta", tool, box("\xa9xyz", "\0\x12\x15\xc7", PLACE))],
    ["3GPP's box of a track", box("trak", box("udta", box("loci", number(0), `\0\0${PLACE}`), tool))],
    ["Apple's keys", Buffer.concat([apple(""), tool])],
    ["Apple's keys in user data", box("udta", apple("\0\0\0\0"), tool)],
    [
      "a list of tags",
      box("udta", box("meta", number(0), box("hdlr"), box("ilst", box("\xa9xyz", data(PLACE)), tool))),
    ],
    ["XMP", Buffer.concat([box("uuid", xmp), box("udta", tool, box("XMP_", PLACE))])],
    ["GoPro's box", box("udta", box("GPMF", PLACE), tool)],
  ])("is removed from %s, at the same offsets for everything else", async (_, added) => {
    const at = film.indexOf("moov") - 4;
    const end = at + film.readUInt32BE(at);
    const sent = Buffer.concat([
      film.subarray(0, at),
      box("moov", film.subarray(at + 8, end), added),
      film.subarray(end),
    ]);
    const { status, json } = await upload(sent);
    expect(status, JSON.stringify(json)).toBe(201);
    const served = (await send(port, "GET", new URL(json.url).pathname)).bytes!;
    expect(served.includes(PLACE)).toBe(false);
    expect(served.length).toBe(sent.length);
    expect(served.subarray(0, end)).toEqual(sent.subarray(0, end));
    expect(served.includes(tool)).toBe(true);
    if (added.includes("Kaya Phone")) expect(served.includes("Kaya Phone")).toBe(true);
    expect(json.media).toMatchObject({ width: 64, duration: 1 });
  });

  it("is refused in too many or too deeply nested boxes", async () => {
    const deep = Array.from({ length: 50 }).reduce<Buffer>((within) => box("udta", within), tool);
    const many = box("udta", Buffer.alloc(8 * 20_000, box("abcd")));
    for (const added of [deep, many]) {
      const { status, json } = await upload(Buffer.concat([film, added]));
      expect([status, Object.keys(json.errors)]).toEqual([422, ["file"]]);
    }
  });
});
