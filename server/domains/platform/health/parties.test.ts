import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { env } from "@/server/core/env";
import { prisma } from "@/server/infrastructure/database/client";
import { makePerson, makeReseller, makeUser } from "@/server/testing/factories";
import { resetLimits } from "@/server/testing/limits";
import { smtpPeer } from "@/server/testing/peers";
import { testServer } from "@/server/testing/server";

/** Every party at once: it says what the test wants, and keeps what it was asked. */
let say: { status: number; body: unknown } = { status: 200, body: {} };
const asked: Array<{ path: string; body: string }> = [];
const outside = createServer(async (req, res) => {
  let body = "";
  for await (const chunk of req) body += String(chunk);
  asked.push({ path: req.url!, body });
  res.writeHead(say.status, { "content-type": "application/json" }).end(JSON.stringify(say.body));
});
await new Promise<void>((resolve) => outside.listen(0, "127.0.0.1", resolve));
afterAll(() => void outside.close());
const url = `http://127.0.0.1:${(outside.address() as AddressInfo).port}`;

const peer = await smtpPeer();
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
const { token, ...admin } = await makePerson({ role: "admin", locale: "en" });

async function test(party: string, status = 200, body: unknown = {}) {
  say = { status, body };
  await resetLimits();
  const answer = await post("/api/admin/health/parties", { party }, { token });
  expect(answer.status).toBe(200);
  return answer.json as { ok: boolean; problem: string | null; fix: string | null };
}

describe("the test of an outside party", () => {
  it("exists for the parties that are set up", async () => {
    const { parties } = (await get("/api/admin/health", token)).json;
    const names = parties.map(({ name }: { name: string }) => name);
    expect(names).toEqual(expect.arrayContaining(["smtp", "google", "twilio", "meta", "parasut"]));
    expect(names).not.toContain("apple");
    expect((await post("/api/admin/health/parties", { party: "apple" }, { token })).status).toBe(422);
  });

  it("sends the administrator a mail by SMTP, and says which setting is wrong", async () => {
    expect(await test("smtp")).toMatchObject({ ok: true, problem: null, fix: null });
    expect(await peer.waitFor(admin.email)).toHaveLength(1);
  });

  it("tells a refusal from a fault, and from somebody else's answer", async () => {
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

  it("asks a provider without a secret for its keys, and wants a success with a list", async () => {
    const settings = env();
    const secret = settings.GOOGLE_CLIENT_SECRET;
    onTestFinished(() => {
      settings.GOOGLE_CLIENT_SECRET = secret;
    });
    settings.GOOGLE_CLIENT_SECRET = undefined;
    expect(await test("google", 200, { keys: [] })).toMatchObject({ ok: true });
    expect(asked.at(-1)!.path).toBe("/keys");
    expect(await test("google", 404, { keys: [] })).toMatchObject({ problem: "unexpected" });
    expect(await test("google", 200, { keys: "none" })).toMatchObject({ problem: "unexpected" });
  });

  it("keeps secrets out of its answer and its entry", async () => {
    const before = asked.length;
    const answer = await test("google", 401, {
      error: "invalid_client",
      error_description: "canary-google-secret",
    });
    expect(asked.length).toBe(before + 1);
    expect(answer.fix).toContain("GOOGLE_CLIENT_SECRET");
    const entry = await prisma().auditEvent.findFirstOrThrow({
      where: { action: "health.party_tested", actorId: admin.id },
      orderBy: { id: "desc" },
    });
    expect(entry.details).toEqual({ party: "google", problem: "refused" });
    expect(JSON.stringify([answer, entry.details])).not.toContain("canary");
  });
});

describe("certificates", () => {
  const row = async (name: string) =>
    (await get("/api/admin/health", token)).json.rows.find((each: { name: string }) => each.name === name);

  it("names portals whose certificates end soon", async () => {
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
