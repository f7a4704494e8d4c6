import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { makeSite, makeToken, makeUser } from "@/server/testing/factories";
import { send } from "@/server/testing/http";
import { testServer } from "@/server/testing/server";

const { port } = await testServer();

const owner = await makeUser();
for (let number = 0; number < 60; number++) await makeSite(owner.id, { name: `Işık 🕌 مسجد ${number}` });
const token = await makeToken(owner.id);
const list = (method: string, encoding?: string) =>
  send(port, method, "/api/sites", {
    token,
    headers: encoding === undefined ? {} : { "accept-encoding": encoding },
  });
const uncompressed = await list("GET");

it("keeps every character without compression", () => {
  expect(uncompressed.bytes!.length).toBe(Number(uncompressed.headers["content-length"]));
  expect(JSON.parse(uncompressed.text).data.map(({ name }: { name: string }) => name)).toEqual(
    Array.from({ length: 60 }, (_, number) => `Işık 🕌 مسجد ${number}`),
  );
});

describe("a long response", () => {
  it.each(["gzip", "br, GZIP", "gzip;q=0.5, *", "deflate,gzip;q=1.0"])(
    "is compressed for Accept-Encoding %s",
    async (encoding) => {
      const { headers, bytes } = await list("GET", encoding);
      expect(headers).toMatchObject({ "content-encoding": "gzip", vary: "Accept-Encoding" });
      expect(Number(headers["content-length"])).toBe(bytes!.length);
      expect(bytes!.length).toBeLessThan(uncompressed.bytes!.length / 4);
      expect(gunzipSync(bytes!).toString()).toBe(uncompressed.text);
    },
  );

  it.each([undefined, "", "identity", "br", "gzip;q=0", "gzip;q=0.0, br", "xgzip"])(
    "is not compressed for %s, and varies by Accept-Encoding",
    async (encoding) => {
      const { headers, text } = await list("GET", encoding);
      expect(headers["content-encoding"]).toBe(undefined);
      expect(headers.vary).toBe("Accept-Encoding");
      expect(text).toEqual(uncompressed.text);
    },
  );
});

it("does not compress a short response or a HEAD", async () => {
  const user = await send(port, "GET", "/api/user", { token, headers: { "accept-encoding": "gzip" } });
  expect(user.headers["content-encoding"]).toBe(undefined);
  expect(user.headers.vary).toBe(undefined);
  const head = await list("HEAD", "gzip");
  expect(head.status).toBe(200);
  expect(head.headers["content-encoding"]).toBe(undefined);
  expect(head.text).toBe("");
});

it("compresses a public response once, at the highest level", async () => {
  const request = (headers: Record<string, string>) => send(port, "GET", "/api/openapi.json", { headers });
  const plain = await request({});
  const packed = await request({ "accept-encoding": "gzip" });
  expect(gunzipSync(packed.bytes!).toString()).toBe(plain.text);
  expect(packed.bytes!.length).toBe(gzipSync(plain.text, { level: 9 }).length);
  expect(packed.headers.etag).toBe(`W/${plain.headers.etag}`);
  expect((await request({ "accept-encoding": "gzip" })).bytes).toEqual(packed.bytes);
  const cached = await request({ "accept-encoding": "gzip", "if-none-match": String(packed.headers.etag) });
  expect(cached).toMatchObject({ status: 304, headers: { vary: "Accept-Encoding" }, text: "" });
});
