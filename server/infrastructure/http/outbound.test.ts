import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { overrideSettings } from "@/server/testing/settings";
import { stubDnsLookup } from "@/server/testing/stub-lookup";
import { CircuitBreaker } from "./circuit-breaker";
import { callOutbound, isAllowedOutboundUrl } from "./outbound";

const lookup = stubDnsLookup();

let respond: (path: string) => { status?: number; headers?: Record<string, string>; body?: string | Buffer };
let callCount = 0;
const server = createServer((req, res) => {
  callCount++;
  if (req.url === "/hang") return;
  const { status = 200, headers, body = "{}" } = respond(req.url!);
  res.writeHead(status, headers).end(body);
});
let origin = "";
/** The same server, by host name. */
let namedOrigin = "";
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "0.0.0.0", resolve));
  const { port } = server.address() as AddressInfo;
  origin = `http://127.0.0.1:${port}`;
  namedOrigin = `http://party.example:${port}`;
  overrideSettings({ OUTBOUND_TRUSTED: `${origin},${namedOrigin}` });
});
beforeEach(() => {
  callCount = 0;
  respond = () => ({});
  lookup.mockReset();
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const requestOutcome = (url: string, timeout = 20_000) =>
  callOutbound({ method: "GET", url, timeout }).then(
    ({ status }) => status,
    (error: { reason?: string }) => error.reason,
  );

describe("addresses", () => {
  it.each([
    "http://example.com/",
    "file:///etc/passwd",
    "gopher://example.com/",
    "data:text/plain,x",
    "ws://example.com/",
    "javascript:alert(1)",
    "https://user@example.com/",
    "https://user:password@example.com/",
    "https://example.com:22/",
    "https://example.com:25/",
    "https://example.com:6379/",
    "//example.com",
    "example.com",
    "",
  ])("rejects %s", async (url) => {
    expect(isAllowedOutboundUrl(url)).toBe(false);
    expect(await requestOutcome(url)).toBe("bad_address");
    expect(lookup).not.toHaveBeenCalled();
  });

  it.each([
    "127.0.0.1",
    "127.1",
    "2130706433",
    "0x7f000001",
    "0177.0.0.1",
    "0.0.0.0",
    "10.0.0.1",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "198.18.0.1",
    "192.0.2.1",
    "224.0.0.1",
    "255.255.255.255",
    "[::1]",
    "[::]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::127.0.0.1]",
    "[fe80::1]",
    "[fc00::1]",
    "[ff02::1]",
    "[2002:7f00:1::]",
    "[64:ff9b::7f00:1]",
    "[2001:db8::1]",
    "１２７.０.０.１",
  ])("rejects the private address %s in any notation", async (host) => {
    lookup.mockResolvedValue([{ address: "127.0.0.1", family: 4 }]);
    expect(await requestOutcome(`https://${host}/`)).toMatch(/refused_address|bad_address/);
    expect(callCount).toBe(0);
  });

  it.each(["127.0.0.1", "10.1.2.3", "169.254.169.254", "::1", "::ffff:10.0.0.1", "fd00::1"])(
    "rejects a name that resolves to %s, even with a public address",
    async (address) => {
      const family = address.includes(":") ? 6 : 4;
      lookup.mockResolvedValue([
        { address: "93.184.216.34", family: 4 },
        { address, family },
      ]);
      expect(await requestOutcome("https://rebind.example.com/")).toBe("refused_address");
    },
  );

  it("resolves a name once, so that DNS rebinding has no effect", async () => {
    lookup.mockResolvedValueOnce([{ address: "203.0.113.9", family: 4 }]);
    lookup.mockResolvedValue([{ address: "127.0.0.1", family: 4 }]);
    // Documentation range: rejected after the first lookup.
    expect(await requestOutcome("https://rebind.example.com/")).toBe("refused_address");
    expect(lookup).toHaveBeenCalledTimes(1);
  });
});

describe("connections", () => {
  it("are reused for the same address only, even if the name resolves to another one", async () => {
    const addresses: Array<string | undefined> = [];
    server.on("connection", ({ localAddress }) => addresses.push(localAddress));
    for (const address of ["127.0.0.1", "127.0.0.1", "127.0.0.2"]) {
      lookup.mockResolvedValueOnce([{ address, family: 4 }]);
      expect(await requestOutcome(`${namedOrigin}/`)).toBe(200);
      // The connection becomes idle shortly after the response.
      await new Promise(setImmediate);
    }
    expect(addresses).toEqual(["127.0.0.1", "127.0.0.2"]);
  });
});

describe("responses", () => {
  it("include redirects, which are not followed", async () => {
    respond = () => ({ status: 302, headers: { location: `${origin}/elsewhere` } });
    expect(await requestOutcome(`${origin}/`)).toBe(302);
    expect(callCount).toBe(1);
  });

  it("larger than a megabyte are rejected", async () => {
    respond = () => ({ body: Buffer.alloc(10 * 1024 * 1024) });
    expect(await requestOutcome(`${origin}/`)).toBe("too_large");
  });

  it("time out", async () => {
    expect(await requestOutcome(`${origin}/hang`, 200)).toBe("timeout");
  });

  it("that fail do not reveal the URL", async () => {
    const secret = "123456:token-in-the-path";
    const error = await callOutbound({ method: "GET", url: `${origin}/hang?${secret}`, timeout: 100 }).catch(
      (each: Error) => each,
    );
    expect(String(error)).not.toContain("token-in-the-path");
  });
});

describe("the breaker", () => {
  it("opens after five failures, allows a trial call after 30 seconds and closes if it succeeds", async () => {
    let nowMs = 0;
    const breaker = new CircuitBreaker(() => nowMs);
    let attempts = 0;
    const call = (status: number) =>
      breaker
        .guard("host", async () => {
          attempts++;
          return { status };
        })
        .then(
          (response) => response.status,
          (error: { reason: string }) => error.reason,
        );
    for (let failure = 0; failure < 5; failure++) expect(await call(500)).toBe(500);
    expect(await call(200)).toBe("breaker_open");
    nowMs = 29_999;
    expect(await call(200)).toBe("breaker_open");
    nowMs = 30_000;
    expect(await Promise.all([call(503), call(200)])).toEqual([503, "breaker_open"]);
    expect(await call(200)).toBe("breaker_open");
    nowMs = 60_000;
    expect(await call(200)).toBe(200);
    expect(await call(200)).toBe(200);
    expect(attempts).toBe(8);
  });
});
