import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { makeSite, makeToken, makeUser } from "@/server/testing/factories";
import { sendHttp } from "@/server/testing/http";
import { startTestServer } from "@/server/testing/server";

const { port } = await startTestServer();

const owner = await makeUser();
for (let number = 0; number < 60; number++) await makeSite(owner.id, { name: `Işık 🕌 مسجد ${number}` });
const token = await makeToken(owner.id);
const listSites = (method: string, encoding?: string) =>
  sendHttp(port, method, "/api/sites", {
    token,
    headers: encoding === undefined ? {} : { "accept-encoding": encoding },
  });
const uncompressedResponse = await listSites("GET");

it("keeps every character without compression", () => {
  expect(uncompressedResponse.bytes!.length).toBe(Number(uncompressedResponse.headers["content-length"]));
  expect(JSON.parse(uncompressedResponse.text).data.map(({ name }: { name: string }) => name)).toEqual(
    Array.from({ length: 60 }, (_, number) => `Işık 🕌 مسجد ${number}`),
  );
});

describe("a long response", () => {
  it.each(["gzip", "br, GZIP", "gzip;q=0.5, *", "deflate,gzip;q=1.0"])(
    "is compressed for Accept-Encoding %s",
    async (encoding) => {
      const { headers, bytes } = await listSites("GET", encoding);
      expect(headers).toMatchObject({ "content-encoding": "gzip", vary: "Accept-Encoding" });
      expect(Number(headers["content-length"])).toBe(bytes!.length);
      expect(bytes!.length).toBeLessThan(uncompressedResponse.bytes!.length / 4);
      expect(gunzipSync(bytes!).toString()).toBe(uncompressedResponse.text);
    },
  );

  it.each([undefined, "", "identity", "br", "gzip;q=0", "gzip;q=0.0, br", "xgzip"])(
    "is not compressed for %s, and varies by Accept-Encoding",
    async (encoding) => {
      const { headers, text } = await listSites("GET", encoding);
      expect(headers["content-encoding"]).toBe(undefined);
      expect(headers.vary).toBe("Accept-Encoding");
      expect(text).toEqual(uncompressedResponse.text);
    },
  );
});

it("does not compress a short response or a HEAD", async () => {
  const userResponse = await sendHttp(port, "GET", "/api/user", {
    token,
    headers: { "accept-encoding": "gzip" },
  });
  expect(userResponse.headers["content-encoding"]).toBe(undefined);
  expect(userResponse.headers.vary).toBe(undefined);
  const headResponse = await listSites("HEAD", "gzip");
  expect(headResponse.status).toBe(200);
  expect(headResponse.headers["content-encoding"]).toBe(undefined);
  expect(headResponse.text).toBe("");
});

it("compresses a public response once, at the highest level", async () => {
  const getOpenApi = (headers: Record<string, string>) =>
    sendHttp(port, "GET", "/api/openapi.json", { headers });
  const plainResponse = await getOpenApi({});
  const compressedResponse = await getOpenApi({ "accept-encoding": "gzip" });
  expect(gunzipSync(compressedResponse.bytes!).toString()).toBe(plainResponse.text);
  expect(compressedResponse.bytes!.length).toBe(gzipSync(plainResponse.text, { level: 9 }).length);
  expect(compressedResponse.headers.etag).toBe(`W/${plainResponse.headers.etag}`);
  expect((await getOpenApi({ "accept-encoding": "gzip" })).bytes).toEqual(compressedResponse.bytes);
  const cachedResponse = await getOpenApi({
    "accept-encoding": "gzip",
    "if-none-match": String(compressedResponse.headers.etag),
  });
  expect(cachedResponse).toMatchObject({ status: 304, headers: { vary: "Accept-Encoding" }, text: "" });
});
