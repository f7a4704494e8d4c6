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
const whole = await list("GET");

it("has the letters that were stored, to the last of them", () => {
  expect(whole.bytes!.length).toBe(Number(whole.headers["content-length"]));
  expect(JSON.parse(whole.text).data.map(({ name }: { name: string }) => name)).toEqual(
    Array.from({ length: 60 }, (_, number) => `Işık 🕌 مسجد ${number}`),
  );
});

describe("a long response", () => {
  it.each(["gzip", "br, GZIP", "gzip;q=0.5, *", "deflate,gzip;q=1.0"])(
    "is compressed for a client that says %s",
    async (encoding) => {
      const { headers, bytes } = await list("GET", encoding);
      expect(headers).toMatchObject({ "content-encoding": "gzip", vary: "Accept-Encoding" });
      expect(Number(headers["content-length"])).toBe(bytes!.length);
      expect(bytes!.length).toBeLessThan(whole.bytes!.length / 4);
      expect(gunzipSync(bytes!).toString()).toBe(whole.text);
    },
  );

  it.each([undefined, "", "identity", "br", "gzip;q=0", "gzip;q=0.0, br", "xgzip"])(
    "goes out as it is for %s, and says that it varies",
    async (encoding) => {
      const { headers, text } = await list("GET", encoding);
      expect(headers["content-encoding"]).toBe(undefined);
      expect(headers.vary).toBe("Accept-Encoding");
      expect(text).toEqual(whole.text);
    },
  );
});

it("leaves a short response and a HEAD alone", async () => {
  const user = await send(port, "GET", "/api/user", { token, headers: { "accept-encoding": "gzip" } });
  expect(user.headers["content-encoding"]).toBe(undefined);
  expect(user.headers.vary).toBe(undefined);
  const head = await list("HEAD", "gzip");
  expect(head.status).toBe(200);
  expect(head.headers["content-encoding"]).toBe(undefined);
  expect(head.text).toBe("");
});

it("is compressed once, and well, where it is the same for everybody", async () => {
  const ask = (headers: Record<string, string>) => send(port, "GET", "/api/openapi.json", { headers });
  const plain = await ask({});
  const packed = await ask({ "accept-encoding": "gzip" });
  expect(gunzipSync(packed.bytes!).toString()).toBe(plain.text);
  expect(packed.bytes!.length).toBe(gzipSync(plain.text, { level: 9 }).length);
  expect(packed.headers.etag).toBe(`W/${plain.headers.etag}`);
  expect((await ask({ "accept-encoding": "gzip" })).bytes).toEqual(packed.bytes);
  const known = await ask({ "accept-encoding": "gzip", "if-none-match": String(packed.headers.etag) });
  expect(known).toMatchObject({ status: 304, headers: { vary: "Accept-Encoding" }, text: "" });
});
