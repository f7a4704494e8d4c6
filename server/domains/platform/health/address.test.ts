import { createServer } from "node:http";
import { type AddressInfo, createServer as createTcp, type Server } from "node:net";
import { createServer as createTls } from "node:tls";
import { afterAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { env } from "@/server/core/env";
import { log } from "@/server/core/log";
import { fromNow, HOUR } from "@/server/core/time";
import { detailOf } from "@/server/domains/accounts/portals/proof.provider";
import { prisma } from "@/server/infrastructure/database/client";
import { outbound } from "@/server/infrastructure/http/outbound";
import { openCertificateAuthority, selfSigned } from "@/server/testing/certificate-authority";
import { openFakeDnsServer } from "@/server/testing/dns";
import { makeReseller, makeToken, makeUser } from "@/server/testing/factories";
import { resetLimits } from "@/server/testing/limits";
import { stubLookup } from "@/server/testing/lookup";
import { freePort } from "@/server/testing/ports";
import { testServer } from "@/server/testing/server";
import { overrideSettings } from "@/server/testing/settings";

const authority = openCertificateAuthority();
afterAll(() => authority.end());
const dns = await openFakeDnsServer();
const lookup = stubLookup();
const { get } = await testServer({ env: { DNS_SERVERS: dns.address } });
const token = await makeToken((await makeUser({ role: "admin", locale: "en" })).id);

beforeEach(resetLimits);

interface Row {
  light: string;
  value: string;
  code: string | null;
  fix: string | null;
}
async function rowsAt(url: string): Promise<Record<string, Row>> {
  const settings = env();
  const before = { APP_URL: settings.APP_URL, https: settings.https };
  onTestFinished(() => void Object.assign(settings, before));
  Object.assign(settings, { APP_URL: url, https: url.startsWith("https:") });
  const { status, json } = await get("/api/admin/health", token);
  expect(status).toBe(200);
  return Object.fromEntries(json.rows.map((row: Row & { name: string }) => [row.name, row]));
}

async function open(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** Starts a TLS server with this certificate that closes every connection. */
const withCertificate = async (pair: { key: string; cert: string }) =>
  `https://127.0.0.1:${await open(createTls(pair, (socket) => socket.on("error", () => {}).end()))}`;
const withResponse = async (status: number, headers: Record<string, string> = {}) =>
  `http://127.0.0.1:${await open(createServer((_req, res) => res.writeHead(status, headers).end("<html>")))}`;

const OWN_NAMES = "IP:127.0.0.1,DNS:panel.example.com";
const day = (count: number) => fromNow(count * 24 * HOUR);

describe("a certificate", () => {
  it("of a known authority is green, while the address shows that nothing responds", async () => {
    const { key, cert } = authority.issue({ names: OWN_NAMES });
    const { certificate, address, proxies } = await rowsAt(
      await withCertificate({ key, cert: cert + authority.intermediate }),
    );
    expect(certificate).toMatchObject({ light: "green", code: null, fix: null });
    expect(address).toMatchObject({ light: "red", code: "UND_ERR_SOCKET" });
    expect(proxies).toMatchObject({ light: "grey", fix: null });
  });

  it.each([
    ["signs itself", () => selfSigned(OWN_NAMES), "DEPTH_ZERO_SELF_SIGNED_CERT", /self-signed/],
    [
      "comes without its intermediate",
      () => authority.issue({ names: OWN_NAMES }),
      "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
      /fullchain\.pem/,
    ],
    [
      "is for another name",
      () => chained({ names: "DNS:other.example.com,DNS:www.example.com" }),
      "ERR_TLS_CERT_ALTNAME_INVALID",
      /other\.example\.com, www\.example\.com/,
    ],
    [
      "has expired",
      () => chained({ names: OWN_NAMES, from: day(-20), until: day(-1) }),
      "CERT_HAS_EXPIRED",
      /expired/,
    ],
    [
      "is not valid yet",
      () => chained({ names: OWN_NAMES, from: day(1), until: day(20) }),
      "CERT_NOT_YET_VALID",
      /clock/,
    ],
  ])("that %s is red in both rows, with the reason", async (_, make, code, reason) => {
    const warn = vi.spyOn(log, "warn");
    onTestFinished(() => warn.mockRestore());
    const { certificate, address } = await rowsAt(await withCertificate(make()));
    for (const row of [certificate, address])
      expect(row).toMatchObject({ light: "red", code, fix: expect.stringMatching(reason) });
    const logged = warn.mock.calls.map(([entry]) => entry as unknown as Record<string, string>);
    for (const part of ["certificate", "address"])
      expect(logged).toContainEqual(
        expect.objectContaining({ event: "health.failed", part, reason: expect.stringContaining(code) }),
      );
  });

  it("that could not be read is grey", async () => {
    const { certificate } = await rowsAt(`https://127.0.0.1:${await freePort()}`);
    expect(certificate).toMatchObject({ light: "grey", fix: null });
  });
});

function chained(what: Parameters<typeof authority.issue>[0]) {
  const { key, cert } = authority.issue(what);
  return { key, cert: cert + authority.intermediate };
}

describe("an address without a response", () => {
  it("shows why the connection failed", async () => {
    const { address } = await rowsAt(`https://127.0.0.1:${await freePort()}`);
    expect(address).toMatchObject({
      light: "red",
      code: "ECONNREFUSED",
      fix: expect.stringMatching(/Nothing listens/),
    });
  });

  it("shows a timeout", async () => {
    const silent = await open(createTcp((socket) => onTestFinished(() => void socket.destroy())));
    const { address } = await rowsAt(`http://127.0.0.1:${silent}`);
    expect(address).toMatchObject({ code: "ETIMEDOUT", fix: expect.stringMatching(/hairpin NAT/) });
  });

  it("shows that plain http responds in place of TLS", async () => {
    const { address } = await rowsAt((await withResponse(200)).replace("http:", "https:"));
    expect(address).toMatchObject({
      fix: expect.stringMatching(/Plain http/),
    });
  });

  it("shows that TLS responds in place of plain http", async () => {
    const url = await withCertificate(selfSigned(OWN_NAMES));
    const { address } = await rowsAt(url.replace("https:", "http:"));
    expect(address).toMatchObject({ light: "red", fix: expect.stringMatching(/not http|closed without/) });
  });

  it.each([
    ["the name does not exist", "ENOTFOUND", "nxdomain", "ENOTFOUND", /DNS has no such name/],
    ["the name has no address", "ENOTFOUND", "nodata", "ENODATA", /A or AAAA record/],
    ["the name server is away", "EAI_AGAIN", "silent", "EAI_AGAIN", /did not respond/],
  ] as const)("shows that %s", async (_, thrown, zone, code, reason) => {
    dns.zones.set("panel.example.org", zone);
    lookup.mockRejectedValue(Object.assign(new Error(thrown), { code: thrown }));
    const { address } = await rowsAt("https://panel.example.org");
    expect(address).toMatchObject({ light: "red", code, fix: expect.stringMatching(reason) });
  });

  it("shows the reason also after five failures", async () => {
    const url = `https://127.0.0.1:${await freePort()}`;
    for (let round = 0; round < 6; round++)
      expect((await rowsAt(url)).address).toMatchObject({ code: "ECONNREFUSED" });
  });
});

describe("a foreign response", () => {
  it.each([
    [502, undefined, /does not reach this server/],
    [504, undefined, /does not reach this server/],
    [522, undefined, /does not reach this server/],
    [301, "https://www.example.com/x", /to https:\/\/www\.example\.com/],
    [302, "https://127.0.0.1/api/health/echo", /same protocol/],
    [308, "/api/health/echo?nonce=x", /back to itself/],
    [302, "/login", /\/login/],
    [404, undefined, /Something other than this installation/],
    [200, undefined, /Something other than this installation/],
    [401, undefined, /denies access/],
    [421, undefined, /no site of this name/],
    [413, undefined, /in place of this server/],
    [500, undefined, /in place of this server/],
  ])("with status %i is explained", async (status, location, reason) => {
    const { address } = await rowsAt(await withResponse(status, location ? { location } : {}));
    expect(address).toMatchObject({
      light: "red",
      code: `HTTP ${status}`,
      fix: expect.stringMatching(reason),
    });
  });
});

describe("certificates of portals", () => {
  const portal = async (domain: string, data: object) => {
    const { id } = await makeUser({ role: "reseller" });
    await makeReseller(id);
    await prisma().resellerPortal.create({
      data: { resellerId: id, domain, verifiedAt: new Date(), ...data },
    });
  };
  /** Returns the detail that a portal check stores for a server with a certificate for these names. */
  const detailFor = async (names: string) => {
    const url = await withCertificate(chained({ names }));
    overrideSettings({ OUTBOUND_TRUSTED: url });
    return detailOf(await outbound({ method: "GET", url }).catch((error: unknown) => error));
  };
  const row = async () => (await rowsAt(`https://127.0.0.1:${await freePort()}`)).portal_certificates;

  it("that are unread are grey, and those that browsers reject are red with the reason", async () => {
    await portal("fine.example.com", { certificateEnd: day(60) });
    expect(await row()).toMatchObject({ light: "green" });
    await portal("unread.example.com", {});
    expect(await row()).toMatchObject({ light: "grey", fix: null });
    const failedResponse = (detail: string) => ({
      failingSince: new Date(),
      checks: [
        { name: "record", ok: true, detail: "CERT_HAS_EXPIRED" },
        { name: "answer", ok: false, detail },
      ],
    });
    await portal("away.example.com", failedResponse("unreachable"));
    expect(await row()).toMatchObject({ light: "grey" });
    await portal("wrong.example.com", failedResponse(await detailFor("DNS:other.example.com")));
    const wrong = await row();
    expect(wrong).toMatchObject({ light: "red", code: "ERR_TLS_CERT_ALTNAME_INVALID" });
    expect(wrong!.value).toContain("wrong.example.com");
    expect(wrong!.fix).toMatch(/https:\/\/wrong\.example\.com is for other names: other\.example\.com/);
  });
});
