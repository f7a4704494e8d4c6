import { createServer } from "node:http";
import { type AddressInfo, createServer as createTcp, type Server } from "node:net";
import { createServer as createTls } from "node:tls";
import { afterAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { env } from "@/server/core/env";
import { log } from "@/server/core/log";
import { fromNow, HOUR } from "@/server/core/time";
import { getFailureDetail } from "@/server/domains/accounts/portals/proof.provider";
import { prisma } from "@/server/infrastructure/database/client";
import { callOutbound } from "@/server/infrastructure/http/outbound";
import { createSelfSigned, openCertificateAuthority } from "@/server/testing/certificate-authority";
import { openFakeDnsServer } from "@/server/testing/dns";
import { makeReseller, makeToken, makeUser } from "@/server/testing/factories";
import { findFreePort } from "@/server/testing/ports";
import { resetRateLimits } from "@/server/testing/rate-limits";
import { startTestServer } from "@/server/testing/server";
import { overrideSettings } from "@/server/testing/settings";
import { stubDnsLookup } from "@/server/testing/stub-lookup";
import { toTextPattern } from "@/server/testing/texts";

const authority = openCertificateAuthority();
afterAll(() => authority.close());
const dns = await openFakeDnsServer();
const lookup = stubDnsLookup();
const { get } = await startTestServer({ env: { DNS_SERVERS: dns.address } });
const token = await makeToken((await makeUser({ role: "admin", locale: "en" })).id);

beforeEach(resetRateLimits);

interface Row {
  light: string;
  value: string;
  code: string | null;
  fix: string | null;
}
async function readRowsAt(url: string): Promise<Record<string, Row>> {
  const settings = env();
  const settingsBefore = { APP_URL: settings.APP_URL, usesHttps: settings.usesHttps };
  onTestFinished(() => void Object.assign(settings, settingsBefore));
  Object.assign(settings, { APP_URL: url, usesHttps: url.startsWith("https:") });
  const { status, json } = await get("/api/admin/health", token);
  expect(status).toBe(200);
  return Object.fromEntries(json.rows.map((row: Row & { name: string }) => [row.name, row]));
}

async function listenOnLoopback(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

const startTlsServer = async (keyPair: { key: string; cert: string }) =>
  `https://127.0.0.1:${await listenOnLoopback(createTls(keyPair, (socket) => socket.on("error", () => {}).end()))}`;
const startHttpServer = async (status: number, headers: Record<string, string> = {}) =>
  `http://127.0.0.1:${await listenOnLoopback(createServer((_req, res) => res.writeHead(status, headers).end("<html>")))}`;

const OWN_NAMES = "IP:127.0.0.1,DNS:panel.example.com";
const daysFromNow = (count: number) => fromNow(count * 24 * HOUR);

describe("a certificate", () => {
  it("of a known authority is green, while the address shows that nothing responds", async () => {
    const { key, cert } = authority.issue({ names: OWN_NAMES });
    const { certificate, address, proxies } = await readRowsAt(
      await startTlsServer({ key, cert: cert + authority.intermediate }),
    );
    expect(certificate).toMatchObject({ light: "green", code: null, fix: null });
    expect(address).toMatchObject({ light: "red", code: "UND_ERR_SOCKET" });
    expect(proxies).toMatchObject({ light: "grey", fix: null });
  });

  it.each([
    ["signs itself", () => createSelfSigned(OWN_NAMES), "DEPTH_ZERO_SELF_SIGNED_CERT", /self-signed/],
    [
      "comes without its intermediate",
      () => authority.issue({ names: OWN_NAMES }),
      "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
      /fullchain\.pem/,
    ],
    [
      "is for another name",
      () => issueWithChain({ names: "DNS:other.example.com,DNS:www.example.com" }),
      "ERR_TLS_CERT_ALTNAME_INVALID",
      /other\.example\.com, www\.example\.com/,
    ],
    [
      "has expired",
      () => issueWithChain({ names: OWN_NAMES, from: daysFromNow(-20), until: daysFromNow(-1) }),
      "CERT_HAS_EXPIRED",
      /expired/,
    ],
    [
      "is not valid yet",
      () => issueWithChain({ names: OWN_NAMES, from: daysFromNow(1), until: daysFromNow(20) }),
      "CERT_NOT_YET_VALID",
      /clock/,
    ],
  ])("that %s is red in both rows, with the reason", async (_, createCertificate, code, fixPattern) => {
    const warnSpy = vi.spyOn(log, "warn");
    onTestFinished(() => warnSpy.mockRestore());
    const { certificate, address } = await readRowsAt(await startTlsServer(createCertificate()));
    for (const row of [certificate, address])
      expect(row).toMatchObject({ light: "red", code, fix: expect.stringMatching(fixPattern) });
    const loggedEntries = warnSpy.mock.calls.map(([entry]) => entry as unknown as Record<string, string>);
    for (const part of ["certificate", "address"])
      expect(loggedEntries).toContainEqual(
        expect.objectContaining({ event: "health.failed", part, reason: expect.stringContaining(code) }),
      );
  });

  it("that could not be read is grey", async () => {
    const { certificate } = await readRowsAt(`https://127.0.0.1:${await findFreePort()}`);
    expect(certificate).toMatchObject({ light: "grey", fix: null });
  });
});

function issueWithChain(certificateOptions: Parameters<typeof authority.issue>[0]) {
  const { key, cert } = authority.issue(certificateOptions);
  return { key, cert: cert + authority.intermediate };
}

describe("an address without a response", () => {
  it("shows why the connection failed", async () => {
    const { address } = await readRowsAt(`https://127.0.0.1:${await findFreePort()}`);
    expect(address).toMatchObject({
      light: "red",
      code: "ECONNREFUSED",
      fix: expect.stringMatching(toTextPattern("health.fixes.connectionRefused")),
    });
  });

  it("shows a timeout", async () => {
    const silentPort = await listenOnLoopback(
      createTcp((socket) => onTestFinished(() => void socket.destroy())),
    );
    const { address } = await readRowsAt(`http://127.0.0.1:${silentPort}`);
    expect(address).toMatchObject({
      code: "ETIMEDOUT",
      fix: expect.stringMatching(toTextPattern("health.fixes.timeout")),
    });
  });

  it("shows that plain http responds in place of TLS", async () => {
    const { address } = await readRowsAt((await startHttpServer(200)).replace("http:", "https:"));
    expect(address).toMatchObject({
      fix: expect.stringMatching(toTextPattern("health.fixes.plainHttp")),
    });
  });

  it("shows that TLS responds in place of plain http", async () => {
    const url = await startTlsServer(createSelfSigned(OWN_NAMES));
    const { address } = await readRowsAt(url.replace("https:", "http:"));
    expect(address).toMatchObject({ light: "red", fix: expect.stringMatching(/not http|closed without/) });
  });

  it.each([
    ["the name does not exist", "ENOTFOUND", "nxdomain", "ENOTFOUND", "noName"],
    ["the name has no address", "ENOTFOUND", "nodata", "ENODATA", "noAddress"],
    ["the name server is away", "EAI_AGAIN", "silent", "EAI_AGAIN", "dnsAway"],
  ] as const)("shows that %s", async (_, errorCode, zone, code, fix) => {
    dns.zones.set("panel.example.org", zone);
    lookup.mockRejectedValue(Object.assign(new Error(errorCode), { code: errorCode }));
    const { address } = await readRowsAt("https://panel.example.org");
    expect(address).toMatchObject({
      light: "red",
      code,
      fix: expect.stringMatching(toTextPattern(`health.fixes.${fix}`)),
    });
  });

  it("shows the reason even after five failures, which open the circuit breaker elsewhere", async () => {
    const url = `https://127.0.0.1:${await findFreePort()}`;
    for (let round = 0; round < 6; round++)
      expect((await readRowsAt(url)).address).toMatchObject({ code: "ECONNREFUSED" });
  });
});

describe("a foreign response", () => {
  it.each([
    [502, undefined, "gateway"],
    [504, undefined, "gateway"],
    [522, undefined, "gateway"],
    [301, "https://www.example.com/x", "redirectElsewhere", "to https://www.example.com"],
    [302, "https://127.0.0.1/api/health/echo", "redirectProtocol"],
    [308, "/api/health/echo?nonce=x", "redirectLoop"],
    [302, "/login", "redirectElsewhere", "/login"],
    [404, undefined, "addressOther"],
    [200, undefined, "addressOther"],
    [401, undefined, "denied"],
    [421, undefined, "misdirected"],
    [413, undefined, "addressStatus"],
    [500, undefined, "addressStatus"],
  ])("with status %i is explained", async (status, location, fix, target = "") => {
    const { address } = await readRowsAt(await startHttpServer(status, location ? { location } : {}));
    expect(address).toMatchObject({
      light: "red",
      code: `HTTP ${status}`,
      fix: expect.stringMatching(toTextPattern(`health.fixes.${fix}`)),
    });
    expect(address!.fix).toContain(target);
  });
});

describe("certificates of portals", () => {
  const makePortal = async (domain: string, data: object) => {
    const { id } = await makeUser({ role: "reseller" });
    await makeReseller(id);
    await prisma().resellerPortal.create({
      data: { resellerId: id, domain, verifiedAt: new Date(), ...data },
    });
  };
  const readFailureDetail = async (names: string) => {
    const url = await startTlsServer(issueWithChain({ names }));
    overrideSettings({ OUTBOUND_TRUSTED: url });
    return getFailureDetail(await callOutbound({ method: "GET", url }).catch((error: unknown) => error));
  };
  const readPortalRow = async () =>
    (await readRowsAt(`https://127.0.0.1:${await findFreePort()}`)).portal_certificates;

  it("that were not read yet are grey, and those that browsers reject are red with the reason", async () => {
    await makePortal("fine.example.com", { certificateEnd: daysFromNow(60) });
    expect(await readPortalRow()).toMatchObject({ light: "green" });
    await makePortal("unread.example.com", {});
    expect(await readPortalRow()).toMatchObject({ light: "grey", fix: null });
    const failedResponse = (detail: string) => ({
      failingSince: new Date(),
      checks: [
        { name: "record", ok: true, detail: "CERT_HAS_EXPIRED" },
        { name: "answer", ok: false, detail },
      ],
    });
    await makePortal("away.example.com", failedResponse("unreachable"));
    expect(await readPortalRow()).toMatchObject({ light: "grey" });
    await makePortal("wrong.example.com", failedResponse(await readFailureDetail("DNS:other.example.com")));
    const wrongRow = await readPortalRow();
    expect(wrongRow).toMatchObject({ light: "red", code: "ERR_TLS_CERT_ALTNAME_INVALID" });
    expect(wrongRow!.value).toContain("wrong.example.com");
    expect(wrongRow!.fix).toMatch(/https:\/\/wrong\.example\.com is for other names: other\.example\.com/);
  });
});
