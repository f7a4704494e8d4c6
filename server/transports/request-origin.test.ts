import { afterEach, expect, it } from "vitest";
import { countByStatus } from "@/server/testing/burst";
import { startTestServer } from "@/server/testing/server";
import { overrideSettings } from "@/server/testing/settings";

const { post } = await startTestServer({ env: { TRUSTED_PROXY_HOPS: "0" } });
const { getClientAddress, getRequestHost } = await import("./request-origin");
const processState = globalThis as { tellalHttpServer?: boolean };

afterEach(() => {
  overrideSettings({ TRUSTED_PROXY_HOPS: "0" });
  processState.tellalHttpServer = true;
});

it("the client address cannot be forged by headers", async () => {
  const names = [
    "X-Real-IP",
    "Forwarded",
    "CF-Connecting-IP",
    "True-Client-IP",
    "X-Client-IP",
    "X-Cluster-Client-IP",
  ];
  const responses = [];
  for (let index = 0; index < 60; index++) {
    const ip = `203.0.${index}.${index + 1}`;
    const headers = Object.fromEntries(names.map((name) => [name, name === "Forwarded" ? `for=${ip}` : ip]));
    const body = { email: `spoof.${index}@example.com`, password: "wrong" };
    responses.push(await post("/api/auth/login", body, { ip, headers }));
  }
  // 20 is the limit of a sign-in per address.
  expect(countByStatus(responses.slice(0, 20))).toEqual({ 401: 20 });
  expect(countByStatus(responses.slice(20))).toEqual({ 429: 40 });
});

it("the client address is the socket's, without the prefix of IPv4-mapped IPv6", () => {
  expect(getClientAddress("::ffff:192.0.2.1", "198.51.100.1")).toBe("192.0.2.1");
  expect(getClientAddress("2001:db8::1", "198.51.100.1")).toBe("2001:db8::1");
});

it("with n trusted proxies, the client address is the n-th entry from the right", () => {
  overrideSettings({ TRUSTED_PROXY_HOPS: "2" });
  expect(getClientAddress("192.0.2.1", "203.0.113.9, 198.51.100.1, 192.0.2.8")).toBe("198.51.100.1");
  expect(getClientAddress("192.0.2.1", "198.51.100.1, 192.0.2.8")).toBe("198.51.100.1");
});

it("the client address is the socket's if entries of the trusted proxies are missing", () => {
  overrideSettings({ TRUSTED_PROXY_HOPS: "2" });
  expect(getClientAddress("192.0.2.1", "203.0.113.9")).toBe("192.0.2.1");
  expect(getClientAddress("192.0.2.1", null)).toBe("192.0.2.1");
});

it("without a socket address, a single X-Forwarded-For entry counts, and only behind our HTTP server", () => {
  expect(getClientAddress(null, "198.51.100.1")).toBe("198.51.100.1");
  expect(getClientAddress(null, "198.51.100.1, 203.0.113.9")).toBe("0.0.0.0");
  processState.tellalHttpServer = false;
  expect(getClientAddress(null, "198.51.100.1")).toBe("0.0.0.0");
});

const getHost = (headers: Record<string, string>) =>
  getRequestHost({ header: (name) => headers[name] ?? null });

it("the host is normalised and a portal's name takes precedence", () => {
  expect(getHost({ host: "Panel.Example.COM.:8080" })).toBe("panel.example.com");
  expect(getHost({ host: "panel.example.com", "x-portal-host": "bayi.example.com" })).toBe(
    "bayi.example.com",
  );
  const latin1Host = Buffer.from("çay.example.com").toString("latin1");
  expect(getHost({ host: latin1Host })).toBe("xn--ay-3ia.example.com");
});

it("the host is null without a header, beyond 300 characters and when invalid", () => {
  const longHost = `${"a.".repeat(149)}io`;
  expect(getHost({ host: longHost }), "of 300 characters").toBe(longHost);
  for (const headers of [{}, { host: "" }, { host: `b${longHost}` }, { host: "a b" }])
    expect(getHost(headers as Record<string, string>)).toBeNull();
});
