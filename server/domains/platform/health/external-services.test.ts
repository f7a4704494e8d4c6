import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { env } from "@/server/core/env";
import { prisma } from "@/server/infrastructure/database/client";
import { startFakeSmtpServer } from "@/server/testing/external-servers";
import { makeReseller, makeSignedInUser, makeUser } from "@/server/testing/factories";
import { resetRateLimits } from "@/server/testing/rate-limits";
import { startTestServer } from "@/server/testing/server";

let nextResponse: { status: number; body: unknown } = { status: 200, body: {} };
const requests: Array<{ path: string; body: string }> = [];
const fakeService = createServer(async (req, res) => {
  let body = "";
  for await (const chunk of req) body += String(chunk);
  requests.push({ path: req.url!, body });
  res
    .writeHead(nextResponse.status, { "content-type": "application/json" })
    .end(JSON.stringify(nextResponse.body));
});
await new Promise<void>((resolve) => fakeService.listen(0, "127.0.0.1", resolve));
afterAll(() => void fakeService.close());
const url = `http://127.0.0.1:${(fakeService.address() as AddressInfo).port}`;

const smtpServer = await startFakeSmtpServer();
const { post, get } = await startTestServer({
  env: {
    SMTP_URL: smtpServer.url,
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

async function testService(party: string, status = 200, body: unknown = {}) {
  nextResponse = { status, body };
  await resetRateLimits();
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
    expect(await testService("smtp")).toMatchObject({ ok: true, problem: null, fix: null });
    expect(await smtpServer.waitForMails(admin.email)).toHaveLength(1);
  });

  it("distinguishes refused, unreachable and unexpected responses", async () => {
    for (const [party, acceptedBody, refusedBody] of [
      ["google", { error: "invalid_grant" }, { error: "invalid_client" }],
      ["twilio", { status: "active" }, { status: "suspended" }],
      ["meta", { id: "123456" }, { error: { code: 190 } }],
    ] as const) {
      expect((await testService(party, 200, acceptedBody)).ok, party).toBe(true);
      expect((await testService(party, 200, refusedBody)).problem, party).toBe("refused");
      expect((await testService(party, 503)).problem, party).toBe("unreachable");
      const unexpectedResult = await testService(party, 200, "<html>");
      expect(unexpectedResult, party).toMatchObject({ ok: false, problem: "unexpected" });
      expect(unexpectedResult.fix).not.toContain("health.fixes");
    }
  });

  it("reads the keys of a provider without a secret and requires a list", async () => {
    const settings = env();
    const secret = settings.GOOGLE_CLIENT_SECRET;
    onTestFinished(() => {
      settings.GOOGLE_CLIENT_SECRET = secret;
    });
    settings.GOOGLE_CLIENT_SECRET = undefined;
    expect(await testService("google", 200, { keys: [] })).toMatchObject({ ok: true });
    expect(requests.at(-1)!.path).toBe("/keys");
    expect(await testService("google", 404, { keys: [] })).toMatchObject({ problem: "unexpected" });
    expect(await testService("google", 200, { keys: "none" })).toMatchObject({ problem: "unexpected" });
  });

  it("keeps secrets out of the response and the audit entry", async () => {
    const requestCountBefore = requests.length;
    const response = await testService("google", 401, {
      error: "invalid_client",
      error_description: "canary-google-secret",
    });
    expect(requests.length).toBe(requestCountBefore + 1);
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
  const readRow = async (name: string) =>
    (await get("/api/admin/health", token)).json.rows.find((each: { name: string }) => each.name === name);

  it("names portals with certificates that expire soon", async () => {
    expect(await readRow("portal_certificates")).toBeUndefined();
    const daysFromNow = (days: number) => new Date(Date.now() + days * 86_400_000);
    const makePortal = async (domain: string, certificateEnd: Date) => {
      const { id } = await makeUser({ role: "reseller" });
      await makeReseller(id);
      await prisma().resellerPortal.create({
        data: { resellerId: id, domain, verifiedAt: new Date(), certificateEnd },
      });
    };
    await makePortal("late.example.com", daysFromNow(60));
    expect(await readRow("portal_certificates")).toMatchObject({ light: "green", fix: null });
    await makePortal("soon.example.com", daysFromNow(10));
    const soonRow = await readRow("portal_certificates");
    expect(soonRow.light).toBe("yellow");
    expect(soonRow.fix).toContain("soon.example.com");
    expect(soonRow.fix).not.toContain("late.example.com");
    await makePortal("over.example.com", daysFromNow(-1));
    expect(await readRow("portal_certificates")).toMatchObject({ light: "red" });
  });
});
