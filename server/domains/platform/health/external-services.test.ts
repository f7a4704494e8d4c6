import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { env } from "@/server/core/env";
import { prisma } from "@/server/infrastructure/database/client";
import { fakeSmtpServer } from "@/server/testing/external-servers";
import { makeReseller, makeSignedInUser, makeUser } from "@/server/testing/factories";
import { resetLimits } from "@/server/testing/limits";
import { testServer } from "@/server/testing/server";

/** Stands in for all services: sends the response set by the test and records the requests. */
let nextResponse: { status: number; body: unknown } = { status: 200, body: {} };
const requests: Array<{ path: string; body: string }> = [];
const outside = createServer(async (req, res) => {
  let body = "";
  for await (const chunk of req) body += String(chunk);
  requests.push({ path: req.url!, body });
  res
    .writeHead(nextResponse.status, { "content-type": "application/json" })
    .end(JSON.stringify(nextResponse.body));
});
await new Promise<void>((resolve) => outside.listen(0, "127.0.0.1", resolve));
afterAll(() => void outside.close());
const url = `http://127.0.0.1:${(outside.address() as AddressInfo).port}`;

const peer = await fakeSmtpServer();
const { post, get } = await testServer({
  env: {
    SMTP_URL: peer.url,
    OUTBOUND_TRUSTED: url,
    GOOGLE_CLIENT_ID: "ours.example.com",
    GOOGLE_CLIENT_SECRET: "canary-google-secret",
    GOOGLE_TOKEN_URL: `${url}/google`,
    GOOGLE_JWKS_URL: `${url}/keys`,
    TWILIO_ACCOUNT_SID: `AC${"1".repeat(32)}`,
    TWILIO_AUTH_TOKEN: "canary-twilio-token",
    TWILIO_FROM: "+12025550100",
    TWILIO_API_URL: url,
    META_APP_ID: "123456",
    META_APP_SECRET: "canary-meta-secret",
    META_GRAPH_URL: url,
  },
});
const { token, ...admin } = await makeSignedInUser({ role: "admin", locale: "en" });

async function test(party: string, status = 200, body: unknown = {}) {
  nextResponse = { status, body };
  await resetLimits();
  const response = await post("/api/admin/health/parties", { party }, { token });
  expect(response.status).toBe(200);
  return response.json as { ok: boolean; problem: string | null; fix: string | null };
}

describe("the test of an external service", () => {
  it("is available for configured services", async () => {
    const { parties } = (await get("/api/admin/health", token)).json;
    const names = parties.map(({ name }: { name: string }) => name);
    expect(names).toEqual(expect.arrayContaining(["smtp", "google", "twilio", "meta", "parasut"]));
    expect(names).not.toContain("apple");
    expect((await post("/api/admin/health/parties", { party: "apple" }, { token })).status).toBe(422);
  });

  it("sends the administrator a test mail by SMTP", async () => {
    expect(await test("smtp")).toMatchObject({ ok: true, problem: null, fix: null });
    expect(await peer.waitFor(admin.email)).toHaveLength(1);
  });

  it("distinguishes refused, unreachable and unexpected responses", async () => {
    for (const [party, works, refuses] of [
      ["google", { error: "invalid_grant" }, { error: "invalid_client" }],
      ["twilio", { status: "active" }, { status: "suspended" }],
      ["meta", { id: "123456" }, { error: { code: 190 } }],
    ] as const) {
      expect((await test(party, 200, works)).ok, party).toBe(true);
      expect((await test(party, 200, refuses)).problem, party).toBe("refused");
      expect((await test(party, 503)).problem, party).toBe("unreachable");
      const other = await test(party, 200, "<html>");
      expect(other, party).toMatchObject({ ok: false, problem: "unexpected" });
      expect(other.fix).not.toContain("health.fixes");
    }
  });

  it("reads the keys of a provider without a secret and requires a list", async () => {
    const settings = env();
    const secret = settings.GOOGLE_CLIENT_SECRET;
    onTestFinished(() => {
      settings.GOOGLE_CLIENT_SECRET = secret;
    });
    settings.GOOGLE_CLIENT_SECRET = undefined;
    expect(await test("google", 200, { keys: [] })).toMatchObject({ ok: true });
    expect(requests.at(-1)!.path).toBe("/keys");
    expect(await test("google", 404, { keys: [] })).toMatchObject({ problem: "unexpected" });
    expect(await test("google", 200, { keys: "none" })).toMatchObject({ problem: "unexpected" });
  });

  it("keeps secrets out of the response and the audit entry", async () => {
    const before = requests.length;
    const response = await test("google", 401, {
      error: "invalid_client",
      error_description: "canary-google-secret",
    });
    expect(requests.length).toBe(before + 1);
    expect(response.fix).toContain("GOOGLE_CLIENT_SECRET");
    const entry = await prisma().auditEvent.findFirstOrThrow({
      where: { action: "health.party_tested", actorId: admin.id },
      orderBy: { id: "desc" },
    });
    expect(entry.details).toEqual({ party: "google", problem: "refused" });
    expect(JSON.stringify([response, entry.details])).not.toContain("canary");
  });
});

describe("certificates", () => {
  const row = async (name: string) =>
    (await get("/api/admin/health", token)).json.rows.find((each: { name: string }) => each.name === name);

  it("names portals with certificates that expire soon", async () => {
    expect(await row("portal_certificates")).toBeUndefined();
    const until = (days: number) => new Date(Date.now() + days * 86_400_000);
    const portal = async (domain: string, certificateEnd: Date) => {
      const { id } = await makeUser({ role: "reseller" });
      await makeReseller(id);
      await prisma().resellerPortal.create({
        data: { resellerId: id, domain, verifiedAt: new Date(), certificateEnd },
      });
    };
    await portal("late.example.com", until(60));
    expect(await row("portal_certificates")).toMatchObject({ light: "green", fix: null });
    await portal("soon.example.com", until(10));
    const soon = await row("portal_certificates");
    expect(soon.light).toBe("yellow");
    expect(soon.fix).toContain("soon.example.com");
    expect(soon.fix).not.toContain("late.example.com");
    await portal("over.example.com", until(-1));
    expect(await row("portal_certificates")).toMatchObject({ light: "red" });
  });
});
