import dns from "node:dns/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { prisma } from "@/server/infrastructure/database/client";
import { burst, countByStatus } from "@/server/testing/burst";
import { makeProvenUser, makeSite, makeToken } from "@/server/testing/factories";
import { resetLimits } from "@/server/testing/limits";
import { whileWaiting } from "@/server/testing/locks";
import { stubLookup } from "@/server/testing/lookup";
import { fakeServices } from "@/server/testing/sandboxes";
import { testServer } from "@/server/testing/server";

const answers = new Map<string, string[]>();
const { lookup: realLookup } = dns;
stubLookup().mockImplementation(async (host, options) => {
  const addresses = answers.get(host);
  if (!addresses) return realLookup(host, { ...options, all: true });
  // Each lookup returns the next address.
  const address = addresses.length > 1 ? addresses.shift()! : addresses[0]!;
  return [{ address, family: 4 }];
});

const peer = await fakeServices();
const server = await testServer({ env: peer.env });
const { call, get, post } = server;
beforeEach(async () => {
  await resetLimits();
  peer.faults.length = 0;
  peer.calls.length = 0;
});

let names = 0;
const address = () => `${peer.url}/webhook/shop${++names}`;

async function endpoint(token: string, body: object = {}) {
  const { json, status } = await post("/api/webhooks", { url: address(), ...body }, { token });
  expect(status).toBe(201);
  return { id: json.webhook.id as number, secret: json.secret as string, url: json.webhook.url as string };
}
const put = (id: number, token: string, body: object) => call("PUT", `/api/webhooks/${id}`, { token, body });
const lastOf = (url: string) =>
  peer.stores.webhook.all.get(`last:${url.slice(url.lastIndexOf("/") + 1)}`) as {
    id: string;
    timestamp: string;
    signature: string;
    body: string;
    verified: boolean | null;
  };
const headersOf = ({ id, timestamp, signature }: ReturnType<typeof lastOf>) => ({
  "webhook-id": id,
  "webhook-timestamp": timestamp,
  "webhook-signature": signature,
});

describe("a webhook", () => {
  it("is created with a secret that is shown once", async () => {
    const { token, id: userId } = await makeProvenUser();
    const response = await post(
      "/api/webhooks",
      {
        url: "https://Example.com:443/hook?a=1",
        events: ["site.created", "site.created"],
        description: "Desk",
      },
      { token },
    );
    expect(response.status).toBe(201);
    expect(response.json.secret).toMatch(/^whsec_[A-Za-z0-9+/]{44}$/);
    expect(response.json.webhook).toMatchObject({
      url: "https://example.com/hook?a=1",
      events: ["site.created"],
      description: "Desk",
      is_active: true,
      disabled_reason: null,
      secret_last_four: response.json.secret.slice(-4),
      failures: 0,
    });
    const { id } = response.json.webhook;
    const listed = await get("/api/webhooks", token);
    expect({ count: listed.json.count, webhooks: listed.json.webhooks }).toEqual({
      count: 1,
      webhooks: [response.json.webhook],
    });
    expect((await get(`/api/webhooks/${id}`, token)).json.webhook).toEqual(response.json.webhook);
    expect(listed.text).not.toContain(response.json.secret);
    const row = await prisma().webhookEndpoint.findUniqueOrThrow({ where: { id } });
    expect(Buffer.from(row.secretSealed).toString("latin1")).not.toContain(response.json.secret);
    expect(await prisma().auditEvent.count({ where: { action: "webhook.created", actorId: userId } })).toBe(
      1,
    );
    const again = await post("/api/webhooks", { url: "https://example.com/hook?a=1" }, { token });
    expect(again.status).toBe(422);
    expect(Object.keys(again.json.errors)).toEqual(["url"]);
  });

  it.each([
    "http://example.com/",
    "https://user@example.com/",
    "https://user:secret@example.com/",
    "https://example.com/#part",
    "https://example.com/#",
    "https://example.com:22/",
    "https://example.com:80/",
    "https://example.com:8080/",
    "https://example.com:6379/",
    "ftp://example.com/",
    "file:///etc/passwd",
    "gopher://example.com/",
    "data:text/plain,x",
    "javascript:alert(1)",
    "ws://example.com/",
    "//example.com",
    "example.com",
    "https://",
    "https://localhost/",
    "https://localhost./",
    "https://printer/",
    "https://db.internal/",
    "https://nas.local/",
    "https://a.localhost/",
    "https://127.0.0.1/",
    "https://127.1/",
    "https://2130706433/",
    "https://0x7f000001/",
    "https://0177.0.0.1/",
    "https://0.0.0.0/",
    "https://10.0.0.1/",
    "https://172.16.0.1/",
    "https://192.168.1.1/",
    "https://169.254.169.254/latest/meta-data/",
    "https://100.64.0.1/",
    "https://224.0.0.1/",
    "https://255.255.255.255/",
    "https://[::1]/",
    "https://[::]/",
    "https://[::ffff:127.0.0.1]/",
    "https://[::ffff:7f00:1]/",
    "https://[::127.0.0.1]/",
    "https://[fe80::1]/",
    "https://[fd00::1]/",
    "https://[2002:7f00:1::]/",
    "https://[64:ff9b::7f00:1]/",
    "https://①②⑦.0.0.1/",
    "https://127。0。0。1/",
    `https://example.com/${"a".repeat(2048)}`,
  ])("never leads to %s", async (url) => {
    const { token } = await makeProvenUser();
    const refused = await post("/api/webhooks", { url }, { token });
    expect(refused.status).toBe(422);
    expect(Object.keys(refused.json.errors ?? {})).toEqual(["url"]);
    const { id } = await endpoint(token);
    expect((await put(id, token, { url })).status).toBe(422);
    expect(peer.calls).toEqual([]);
  });

  it("is limited to ten per account, even in a burst", async () => {
    const { token, id: userId } = await makeProvenUser();
    const answers = await burst(20, () => post("/api/webhooks", { url: address() }, { token }));
    expect(countByStatus(answers)).toEqual({ 201: 10, 422: 10 });
    expect(await prisma().webhookEndpoint.count({ where: { userId } })).toBe(10);
    const refused = answers.find(({ status }) => status === 422)!;
    expect(refused.json).toEqual({ success: false, error: expect.stringContaining("10") });
  });

  it("is closed to agents and to other accounts", async () => {
    const owner = await makeProvenUser();
    const { id } = await endpoint(owner.token);
    const site = await makeSite(owner.id);
    const agent = await makeProvenUser({
      isAgentOnly: true,
      parentUserId: owner.id,
      assignedSiteId: site.id,
    });
    expect((await post("/api/webhooks", { url: address() }, { token: agent.token })).status).toBe(403);
    expect((await get("/api/webhooks", agent.token)).json.count).toBe(0);
    const admin = await makeProvenUser({ role: "admin" });
    for (const { token } of [agent, admin, await makeProvenUser()]) {
      expect((await get(`/api/webhooks/${id}`, token)).status).toBe(403);
      expect((await put(id, token, { is_active: false })).status).toBe(403);
      expect((await call("DELETE", `/api/webhooks/${id}`, { token })).status).toBe(403);
      expect((await post(`/api/webhooks/${id}/test`, undefined, { token })).status).toBe(403);
    }
    const reader = await makeToken(owner.id, { abilities: ["read"] });
    expect((await get(`/api/webhooks/${id}`, reader)).status).toBe(200);
    expect((await put(id, reader, { is_active: false })).status).toBe(403);
  });

  it("keeps omitted fields, and rejects a stale change", async () => {
    const { token } = await makeProvenUser();
    const { id, url } = await endpoint(token, { events: ["site.created"], description: "Desk" });
    const moved = await put(id, token, { description: null, events: [] });
    expect(moved.json.webhook).toMatchObject({ url, events: [], description: null, is_active: true });
    const stale = await put(id, token, { description: "Mine", expected: { description: "Desk" } });
    expect(stale).toMatchObject({ status: 409, json: { current: { description: null } } });
    await prisma().webhookEndpoint.update({
      where: { id },
      data: { disabledReason: "failing", failures: 30, failingSince: new Date(0), pausedUntil: new Date() },
    });
    const on = await put(id, token, { is_active: true });
    expect(on.json.webhook).toMatchObject({
      is_active: true,
      disabled_reason: null,
      failures: 0,
      failing_since: null,
    });
    const off = await put(id, token, { is_active: false });
    expect(off.json.webhook).toMatchObject({ is_active: false, disabled_reason: "person" });
    expect((await call("DELETE", `/api/webhooks/${id}`, { token })).status).toBe(200);
    expect((await get(`/api/webhooks/${id}`, token)).status).toBe(404);
  });

  it("is not created by a token that is revoked while the creation waits", async () => {
    const { token, id: userId } = await makeProvenUser();
    const { status } = await whileWaiting(
      userId,
      () => post("/api/webhooks", { url: address() }, { token }),
      ({ db }) => db.accessToken.deleteMany({ where: { userId } }),
    );
    expect(status).toBe(401);
    expect(await prisma().webhookEndpoint.count({ where: { userId } })).toBe(0);
  });
});

describe("the secret", () => {
  it("is renewed with a recent proof only; both secrets sign until the grace period ends", async () => {
    const { token, id: userId } = await makeProvenUser();
    const { id, secret: first, url } = await endpoint(token);
    const unproven = await makeToken(userId);
    const refused = await post(`/api/webhooks/${id}/secret`, {}, { token: unproven });
    expect(refused).toMatchObject({ status: 403, json: { requires_identity: true } });
    const renewed = await post(`/api/webhooks/${id}/secret`, { grace_minutes: 60 }, { token });
    expect(renewed.status).toBe(200);
    const second = renewed.json.secret as string;
    expect(second).not.toBe(first);
    expect(Date.parse(renewed.json.webhook.old_secret_until)).toBeGreaterThan(Date.now());

    expect((await post(`/api/webhooks/${id}/test`, undefined, { token })).json.delivered).toBe(true);
    const both = lastOf(url);
    for (const secret of [first, second]) new Webhook(secret).verify(both.body, headersOf(both));
    expect(both.signature.split(" ")).toHaveLength(2);
    expect(() => new Webhook(first).verify(`${both.body} `, headersOf(both))).toThrow();

    await prisma().webhookEndpoint.update({ where: { id }, data: { oldSecretUntil: new Date() } });
    await post(`/api/webhooks/${id}/test`, undefined, { token });
    const one = lastOf(url);
    new Webhook(second).verify(one.body, headersOf(one));
    expect(() => new Webhook(first).verify(one.body, headersOf(one))).toThrow();
    expect((await get(`/api/webhooks/${id}`, token)).json.webhook.old_secret_until).toBeNull();

    const hard = await post(`/api/webhooks/${id}/secret`, { grace_minutes: 0 }, { token });
    expect(hard.json.webhook.old_secret_until).toBeNull();
    expect((await post(`/api/webhooks/${id}/secret`, { grace_minutes: 10_081 }, { token })).status).toBe(422);
  });
});

describe("a test event", () => {
  const test = (id: number, token: string) => post(`/api/webhooks/${id}/test`, undefined, { token });

  it("is signed, and returns status, duration and kind of failure", async () => {
    const { token } = await makeProvenUser();
    const { id, secret, url } = await endpoint(token);
    peer.stores.webhook.all.set(`secret:${url.slice(url.lastIndexOf("/") + 1)}`, secret);
    expect((await test(id, token)).json).toEqual({
      success: true,
      delivered: true,
      status_code: 204,
      duration_ms: expect.any(Number),
      error: null,
    });
    expect(lastOf(url).verified).toBe(true);
    expect(JSON.parse(lastOf(url).body)).toEqual({
      type: "webhook.test",
      timestamp: expect.stringMatching(/^\d{4}-.*\.\d{6}Z$/),
      data: { id },
    });
    // With another secret the receiver refuses; its response body is not shown.
    peer.stores.webhook.all.set(`secret:${url.slice(url.lastIndexOf("/") + 1)}`, "whsec_c3RyYW5nZXI=");
    const refused = await test(id, token);
    expect(refused.json).toMatchObject({ delivered: false, status_code: 401, error: "status" });
    expect(refused.text).not.toContain("signature");
    expect((await get(`/api/webhooks/${id}/deliveries`, token)).json.count).toBe(0);
  });

  it.each([
    ["failing", { status_code: 500, error: "status" }],
    ["gone", { status_code: 410, error: "status" }],
    ["moved", { status_code: 302, error: "redirect" }],
    ["busy", { status_code: 429, error: "status" }],
  ])("returns the failure of a receiver that is %s", async (name, expected) => {
    const { token } = await makeProvenUser();
    const { id } = await endpoint(token, { url: `${peer.url}/webhook/${name}` });
    expect((await test(id, token)).json).toMatchObject({ success: true, delivered: false, ...expected });
    expect(peer.calls, "a redirect is not followed").toEqual([`POST /webhook/${name}`]);
    expect((await get(`/api/webhooks/${id}`, token)).json.webhook.is_active).toBe(true);
  });

  it("reports a reset connection, and only the status of a huge response", async () => {
    const { token } = await makeProvenUser();
    const { id } = await endpoint(token);
    peer.faults.push({ match: /webhook/, response: "reset" }, { match: /webhook/, response: "huge" });
    expect((await test(id, token)).json).toMatchObject({
      delivered: false,
      status_code: null,
      error: "connect",
    });
    expect((await test(id, token)).json).toMatchObject({ delivered: true, status_code: 200, error: null });
  });

  it("never connects to a private address, even if the name had another one before", async () => {
    let connections = 0;
    const canary = createServer((_req, res) => res.end());
    canary.on("connection", () => connections++);
    await new Promise<void>((resolve) => canary.listen(0, "127.0.0.1", resolve));
    afterAll(() => new Promise<void>((resolve) => canary.close(() => resolve())));
    const { token } = await makeProvenUser();
    const { id } = await endpoint(token);
    const lead = async (url: string) => {
      await prisma().webhookEndpoint.update({ where: { id }, data: { url } });
      return (await test(id, token)).json;
    };
    const private_ = { delivered: false, status_code: null, error: "private_address" };
    answers.set("rebound.example", ["127.0.0.1"]);
    expect(await lead("https://rebound.example/")).toMatchObject(private_);
    // URLs stored by an older release or by hand.
    const { port } = canary.address() as AddressInfo;
    expect(await lead(`https://127.0.0.1:${port}/`)).toMatchObject(private_);
    expect(await lead(`http://127.0.0.1:${port}/`)).toMatchObject(private_);
    answers.set("mixed.example", ["10.1.2.3"]);
    expect(await lead("https://mixed.example:8443/")).toMatchObject(private_);
    expect(connections).toBe(0);
  });

  it("is limited to ten a minute", async () => {
    const { token } = await makeProvenUser();
    const { id } = await endpoint(token);
    const answers = await burst(12, () => test(id, token));
    expect(countByStatus(answers)).toEqual({ 200: 10, 429: 2 });
    const refused = answers.find(({ status }) => status === 429)!;
    expect(refused.json).toEqual({ message: "Too Many Attempts." });
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
    expect(peer.calls).toHaveLength(10);
  });
});
