import dns from "node:dns/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { prisma } from "@/server/infrastructure/database/client";
import { countByStatus, runConcurrently } from "@/server/testing/burst";
import { makeProvenUser, makeSite, makeToken } from "@/server/testing/factories";
import { runWhileCallWaits } from "@/server/testing/locks";
import { resetRateLimits } from "@/server/testing/rate-limits";
import { startFakeServices } from "@/server/testing/sandboxes";
import { startTestServer } from "@/server/testing/server";
import { stubDnsLookup } from "@/server/testing/stub-lookup";

const dnsAddresses = new Map<string, string[]>();
const { lookup: realLookup } = dns;
stubDnsLookup().mockImplementation(async (host, options) => {
  const addresses = dnsAddresses.get(host);
  if (!addresses) return realLookup(host, { ...options, all: true });
  const address = addresses.length > 1 ? addresses.shift()! : addresses[0]!;
  return [{ address, family: 4 }];
});

const services = await startFakeServices();
const server = await startTestServer({ env: services.env });
const { call, get, post } = server;
beforeEach(async () => {
  await resetRateLimits();
  services.faults.length = 0;
  services.calls.length = 0;
});

let urlCount = 0;
const newUrl = () => `${services.url}/webhook/shop${++urlCount}`;

async function createEndpoint(token: string, body: object = {}) {
  const { json, status } = await post("/api/webhooks", { url: newUrl(), ...body }, { token });
  expect(status).toBe(201);
  return { id: json.webhook.id as number, secret: json.secret as string, url: json.webhook.url as string };
}
const putWebhook = (id: number, token: string, body: object) =>
  call("PUT", `/api/webhooks/${id}`, { token, body });
const findLastRequest = (url: string) =>
  services.stores.webhook.entries.get(`last:${url.slice(url.lastIndexOf("/") + 1)}`) as {
    id: string;
    timestamp: string;
    signature: string;
    body: string;
    verified: boolean | null;
  };
const toHeaders = ({ id, timestamp, signature }: ReturnType<typeof findLastRequest>) => ({
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
    const listing = await get("/api/webhooks", token);
    expect({ count: listing.json.count, webhooks: listing.json.webhooks }).toEqual({
      count: 1,
      webhooks: [response.json.webhook],
    });
    expect((await get(`/api/webhooks/${id}`, token)).json.webhook).toEqual(response.json.webhook);
    expect(listing.text).not.toContain(response.json.secret);
    const row = await prisma().webhookEndpoint.findUniqueOrThrow({ where: { id } });
    expect(Buffer.from(row.secretSealed).toString("latin1")).not.toContain(response.json.secret);
    expect(await prisma().auditEvent.count({ where: { action: "webhook.created", actorId: userId } })).toBe(
      1,
    );
    const duplicate = await post("/api/webhooks", { url: "https://example.com/hook?a=1" }, { token });
    expect(duplicate.status).toBe(422);
    expect(Object.keys(duplicate.json.errors)).toEqual(["url"]);
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
  ])("rejects the URL %s", async (url) => {
    const { token } = await makeProvenUser();
    const refusal = await post("/api/webhooks", { url }, { token });
    expect(refusal.status).toBe(422);
    expect(Object.keys(refusal.json.errors ?? {})).toEqual(["url"]);
    const { id } = await createEndpoint(token);
    expect((await putWebhook(id, token, { url })).status).toBe(422);
    expect(services.calls).toEqual([]);
  });

  it("is limited to ten per account, even in a burst", async () => {
    const { token, id: userId } = await makeProvenUser();
    const responses = await runConcurrently(20, () => post("/api/webhooks", { url: newUrl() }, { token }));
    expect(countByStatus(responses)).toEqual({ 201: 10, 422: 10 });
    expect(await prisma().webhookEndpoint.count({ where: { userId } })).toBe(10);
    const refusal = responses.find(({ status }) => status === 422)!;
    expect(refusal.json).toEqual({ success: false, error: expect.stringContaining("10") });
  });

  it("is refused to agents and other accounts", async () => {
    const owner = await makeProvenUser();
    const { id } = await createEndpoint(owner.token);
    const site = await makeSite(owner.id);
    const agent = await makeProvenUser({
      isAgentOnly: true,
      parentUserId: owner.id,
      assignedSiteId: site.id,
    });
    expect((await post("/api/webhooks", { url: newUrl() }, { token: agent.token })).status).toBe(403);
    expect((await get("/api/webhooks", agent.token)).json.count).toBe(0);
    const admin = await makeProvenUser({ role: "admin" });
    for (const { token } of [agent, admin, await makeProvenUser()]) {
      expect((await get(`/api/webhooks/${id}`, token)).status).toBe(403);
      expect((await putWebhook(id, token, { is_active: false })).status).toBe(403);
      expect((await call("DELETE", `/api/webhooks/${id}`, { token })).status).toBe(403);
      expect((await post(`/api/webhooks/${id}/test`, undefined, { token })).status).toBe(403);
    }
    const readerToken = await makeToken(owner.id, { abilities: ["read"] });
    expect((await get(`/api/webhooks/${id}`, readerToken)).status).toBe(200);
    expect((await putWebhook(id, readerToken, { is_active: false })).status).toBe(403);
  });

  it("keeps omitted fields, and rejects a stale change", async () => {
    const { token } = await makeProvenUser();
    const { id, url } = await createEndpoint(token, { events: ["site.created"], description: "Desk" });
    const changeResponse = await putWebhook(id, token, { description: null, events: [] });
    expect(changeResponse.json.webhook).toMatchObject({
      url,
      events: [],
      description: null,
      is_active: true,
    });
    const staleResponse = await putWebhook(id, token, {
      description: "Mine",
      expected: { description: "Desk" },
    });
    expect(staleResponse).toMatchObject({ status: 409, json: { current: { description: null } } });
    await prisma().webhookEndpoint.update({
      where: { id },
      data: { disabledReason: "failing", failures: 30, failingSince: new Date(0), pausedUntil: new Date() },
    });
    const enableResponse = await putWebhook(id, token, { is_active: true });
    expect(enableResponse.json.webhook).toMatchObject({
      is_active: true,
      disabled_reason: null,
      failures: 0,
      failing_since: null,
    });
    const disableResponse = await putWebhook(id, token, { is_active: false });
    expect(disableResponse.json.webhook).toMatchObject({ is_active: false, disabled_reason: "person" });
    expect((await call("DELETE", `/api/webhooks/${id}`, { token })).status).toBe(200);
    expect((await get(`/api/webhooks/${id}`, token)).status).toBe(404);
  });

  it("is not created by a token that is revoked while the creation waits", async () => {
    const { token, id: userId } = await makeProvenUser();
    const { status } = await runWhileCallWaits(
      userId,
      () => post("/api/webhooks", { url: newUrl() }, { token }),
      ({ db }) => db.accessToken.deleteMany({ where: { userId } }),
    );
    expect(status).toBe(401);
    expect(await prisma().webhookEndpoint.count({ where: { userId } })).toBe(0);
  });
});

describe("the secret", () => {
  it("is renewed with a recent proof only; both secrets sign until the grace period ends", async () => {
    const { token, id: userId } = await makeProvenUser();
    const { id, secret: firstSecret, url } = await createEndpoint(token);
    const unprovenToken = await makeToken(userId);
    const refusal = await post(`/api/webhooks/${id}/secret`, {}, { token: unprovenToken });
    expect(refusal).toMatchObject({ status: 403, json: { requires_identity: true } });
    const renewal = await post(`/api/webhooks/${id}/secret`, { grace_minutes: 60 }, { token });
    expect(renewal.status).toBe(200);
    const secondSecret = renewal.json.secret as string;
    expect(secondSecret).not.toBe(firstSecret);
    expect(Date.parse(renewal.json.webhook.old_secret_until)).toBeGreaterThan(Date.now());

    expect((await post(`/api/webhooks/${id}/test`, undefined, { token })).json.delivered).toBe(true);
    const requestWithBothSecrets = findLastRequest(url);
    for (const secret of [firstSecret, secondSecret])
      new Webhook(secret).verify(requestWithBothSecrets.body, toHeaders(requestWithBothSecrets));
    expect(requestWithBothSecrets.signature.split(" ")).toHaveLength(2);
    expect(() =>
      new Webhook(firstSecret).verify(`${requestWithBothSecrets.body} `, toHeaders(requestWithBothSecrets)),
    ).toThrow();

    await prisma().webhookEndpoint.update({ where: { id }, data: { oldSecretUntil: new Date() } });
    await post(`/api/webhooks/${id}/test`, undefined, { token });
    const requestWithNewSecret = findLastRequest(url);
    new Webhook(secondSecret).verify(requestWithNewSecret.body, toHeaders(requestWithNewSecret));
    expect(() =>
      new Webhook(firstSecret).verify(requestWithNewSecret.body, toHeaders(requestWithNewSecret)),
    ).toThrow();
    expect((await get(`/api/webhooks/${id}`, token)).json.webhook.old_secret_until).toBeNull();

    const renewalWithoutGrace = await post(`/api/webhooks/${id}/secret`, { grace_minutes: 0 }, { token });
    expect(renewalWithoutGrace.json.webhook.old_secret_until).toBeNull();
    expect((await post(`/api/webhooks/${id}/secret`, { grace_minutes: 10_081 }, { token })).status).toBe(422);
  });
});

describe("a test event", () => {
  const sendTest = (id: number, token: string) => post(`/api/webhooks/${id}/test`, undefined, { token });

  it("is signed, and returns status, duration and kind of failure", async () => {
    const { token } = await makeProvenUser();
    const { id, secret, url } = await createEndpoint(token);
    services.stores.webhook.entries.set(`secret:${url.slice(url.lastIndexOf("/") + 1)}`, secret);
    await prisma().webhookEndpoint.update({
      where: { id },
      data: { failures: 3, failingSince: new Date(), pausedUntil: new Date(Date.now() + 60_000) },
    });
    expect((await sendTest(id, token)).json).toEqual({
      success: true,
      delivered: true,
      status_code: 204,
      duration_ms: expect.any(Number),
      error: null,
    });
    expect(findLastRequest(url).verified).toBe(true);
    const { last_ok_at: lastOkAt, ...webhook } = (await get(`/api/webhooks/${id}`, token)).json.webhook;
    expect(lastOkAt, "a test counts as a success").toEqual(expect.any(String));
    expect(webhook).toMatchObject({ failures: 0, failing_since: null });
    expect(JSON.parse(findLastRequest(url).body)).toEqual({
      type: "webhook.test",
      timestamp: expect.stringMatching(/^\d{4}-.*\.\d{6}Z$/),
      data: { id },
    });
    // With another secret the receiver refuses; its response body is not shown.
    services.stores.webhook.entries.set(
      `secret:${url.slice(url.lastIndexOf("/") + 1)}`,
      "whsec_c3RyYW5nZXI=",
    );
    const refusal = await sendTest(id, token);
    expect(refusal.json).toMatchObject({ delivered: false, status_code: 401, error: "status" });
    expect(refusal.text).not.toContain("signature");
    expect((await get(`/api/webhooks/${id}`, token)).json.webhook.last_ok_at).toBe(lastOkAt);
    expect((await get(`/api/webhooks/${id}/deliveries`, token)).json.count).toBe(0);
  });

  it.each([
    ["failing", { status_code: 500, error: "status" }],
    ["gone", { status_code: 410, error: "status" }],
    ["moved", { status_code: 302, error: "redirect" }],
    ["busy", { status_code: 429, error: "status" }],
  ])("returns the failure of a receiver that is %s", async (name, expected) => {
    const { token } = await makeProvenUser();
    const { id } = await createEndpoint(token, { url: `${services.url}/webhook/${name}` });
    expect((await sendTest(id, token)).json).toMatchObject({ success: true, delivered: false, ...expected });
    expect(services.calls, "a redirect is not followed").toEqual([`POST /webhook/${name}`]);
    expect((await get(`/api/webhooks/${id}`, token)).json.webhook.is_active).toBe(true);
  });

  it("reports a reset connection, and only the status of a huge response", async () => {
    const { token } = await makeProvenUser();
    const { id } = await createEndpoint(token);
    services.faults.push({ match: /webhook/, response: "reset" }, { match: /webhook/, response: "huge" });
    expect((await sendTest(id, token)).json).toMatchObject({
      delivered: false,
      status_code: null,
      error: "connect",
    });
    expect((await sendTest(id, token)).json).toMatchObject({
      delivered: true,
      status_code: 200,
      error: null,
    });
  });

  it("never connects to a private address, even if the name had another one before", async () => {
    let connectionCount = 0;
    const canary = createServer((_req, res) => res.end());
    canary.on("connection", () => connectionCount++);
    await new Promise<void>((resolve) => canary.listen(0, "127.0.0.1", resolve));
    afterAll(() => new Promise<void>((resolve) => canary.close(() => resolve())));
    const { token } = await makeProvenUser();
    const { id } = await createEndpoint(token);
    const sendTestTo = async (url: string) => {
      await prisma().webhookEndpoint.update({ where: { id }, data: { url } });
      return (await sendTest(id, token)).json;
    };
    const privateFailure = { delivered: false, status_code: null, error: "private_address" };
    dnsAddresses.set("rebound.example", ["127.0.0.1"]);
    expect(await sendTestTo("https://rebound.example/")).toMatchObject(privateFailure);
    // URLs stored by an older release or by hand.
    const { port } = canary.address() as AddressInfo;
    expect(await sendTestTo(`https://127.0.0.1:${port}/`)).toMatchObject(privateFailure);
    expect(await sendTestTo(`http://127.0.0.1:${port}/`)).toMatchObject(privateFailure);
    dnsAddresses.set("mixed.example", ["10.1.2.3"]);
    expect(await sendTestTo("https://mixed.example:8443/")).toMatchObject(privateFailure);
    expect(connectionCount).toBe(0);
  });

  it("is limited to ten a minute", async () => {
    const { token } = await makeProvenUser();
    const { id } = await createEndpoint(token);
    const responses = await runConcurrently(12, () => sendTest(id, token));
    expect(countByStatus(responses)).toEqual({ 200: 10, 429: 2 });
    const refusal = responses.find(({ status }) => status === 429)!;
    expect(refusal.json).toEqual({ message: "Too Many Attempts." });
    expect(Number(refusal.headers["retry-after"])).toBeGreaterThan(0);
    expect(services.calls).toHaveLength(10);
  });
});
