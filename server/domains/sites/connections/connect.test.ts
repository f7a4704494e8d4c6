import { createHmac } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { fromNow, MINUTE, toIsoMicros } from "@/server/core/time";
import { prisma } from "@/server/infrastructure/database/client";
import { EVOLUTION_KEY } from "@/server/sandbox/evolution";
import { countByStatus, runConcurrently } from "@/server/testing/burst";
import { makeConnection, makeSignedInUser, makeSite } from "@/server/testing/factories";
import { sendHttp } from "@/server/testing/http";
import { deliverAndReadMails } from "@/server/testing/mailbox";
import { resetRateLimits } from "@/server/testing/rate-limits";
import { startFakeServices } from "@/server/testing/sandboxes";
import { startTestServer } from "@/server/testing/server";
import { CONNECTION_TYPE_BY_CHANNEL, type ConnectableChannel } from "./policy";
import { checkConnectionHealth } from "./service/health";
import { deriveTelegramWebhookSecret } from "./telegram.provider";

const services = await startFakeServices();
const server = await startTestServer({
  env: { ...services.env, META_VERIFY_TOKEN: "verify-of-the-app", RATE_LIMITS: "relaxed" },
});
beforeEach(async () => {
  await resetRateLimits();
  services.faults.length = 0;
  services.calls.length = 0;
});

let nextBotId = 500_000_000;
const makeBotToken = () => `${nextBotId++}:${"t".repeat(35)}`;
const connect = (token: string, whatsappBody: object) =>
  server.post("/api/connections", whatsappBody, { token });
const updateConnection = (token: string, id: number, whatsappBody: object) =>
  server.call("PUT", `/api/connections/${id}`, { token, body: whatsappBody });
const cleanUp = (token: string, channel: string, id: number) =>
  server.post("/api/idle-connections/cleanup", { items: [{ channel, id }] }, { token });
const findConnectionRow = (id: number) => prisma().connection.findUniqueOrThrow({ where: { id } });
const callWebhook = (method: string, path: string, { body: whatsappBody = "", headers = {} } = {}) =>
  fetch(`http://127.0.0.1:${server.port}${path}`, {
    method,
    headers,
    ...(method === "POST" && { body: whatsappBody }),
  });

const TWILIO_ACCOUNT = `AC${"1".repeat(32)}`;
const CREDENTIALS: Record<Exclude<ConnectableChannel, "web_chat" | "email">, object> = {
  telegram: { bot_token: makeBotToken() },
  whatsapp: { waba_id: "8001", phone_number_id: "80010", access_token: "a-token-of-meta" },
  messenger: { page_id: "8100", access_token: "a-token-of-meta" },
  instagram: { ig_user_id: "8200", access_token: "ig8200-token" },
  whatsapp_qr: { base_url: `${services.url}/evolution`, api_key: EVOLUTION_KEY, instance: "kayakahve" },
  sms: { account_sid: TWILIO_ACCOUNT, auth_token: "a-token-of-twilio", phone_number_sid: "PN1000" },
  voice: { account_sid: TWILIO_ACCOUNT, auth_token: "a-token-of-twilio", phone_number_sid: "PN1000" },
};

describe("every provider", () => {
  it.each(Object.entries(CREDENTIALS))(
    "%s: sets, compares and clears the same webhook",
    async (channel, fields) => {
      const { id, token } = await makeSignedInUser();
      const site = await makeSite(id, { isActive: false, suspendedReason: "owner" });
      const { status, json } = await connect(token, { channel, ...fields, site_ids: [site.id] });
      expect({ status, connection: json.connection }).toEqual({
        status: 201,
        connection: expect.objectContaining({
          channel,
          connection_type: CONNECTION_TYPE_BY_CHANNEL[channel as ConnectableChannel],
          health: "ok",
        }),
      });
      const dryRun = await server.post(
        "/api/idle-connections/cleanup",
        { items: [{ channel, id: json.connection.id }], dry_run: true },
        { token },
      );
      expect(dryRun.json.results[0]).toMatchObject({ ok: true, plan: { hook: "ours" } });
      const cleanupResponse = await cleanUp(token, channel, json.connection.id);
      expect(cleanupResponse.json.results).toEqual([{ channel, id: json.connection.id, ok: true }]);
      const remainingWebhooks = Object.entries(services.stores).flatMap(([service, { entries }]) =>
        [...entries]
          .filter(([, value]) => JSON.stringify(value).includes("http://panel.test/hooks"))
          .map(() => service),
      );
      expect(remainingWebhooks).toEqual([]);
      if (channel === "whatsapp_qr") expect(services.stores.evolution.entries.size).toBe(0);
    },
  );

  it("Evolution: deletes an instance a second time if it still exists after the first", async () => {
    const { id, token } = await makeSignedInUser();
    const fields = { ...CREDENTIALS.whatsapp_qr, instance: "zombie1" };
    const { json } = await connect(token, { channel: "whatsapp_qr", ...fields });
    const cleanupResponse = await cleanUp(token, "whatsapp_qr", json.connection.id);
    expect(cleanupResponse.json.results[0]).toMatchObject({ ok: true });
    expect(services.stores.evolution.entries.has("instance:zombie1")).toBe(false);
    expect(
      services.calls.filter((call) => call.startsWith("DELETE") && call.includes("delete")),
    ).toHaveLength(2);
    expect(await prisma().connection.count({ where: { userId: id } })).toBe(0);
  });
});

describe("connecting", () => {
  it.each([
    ["a revoked token", { bot_token: `600000001:${"t".repeat(30)}REVOKED` }, "token_refused"],
    ["a rate-limited token", { bot_token: `600000002:${"t".repeat(30)}FLOOD` }, "unreachable"],
  ])("is refused for %s and stores nothing", async (_what, fields, reason) => {
    const { id, token } = await makeSignedInUser();
    const { status, json } = await connect(token, { channel: "telegram", ...fields });
    expect({ status, json }).toEqual({
      status: 422,
      json: { success: false, error: expect.any(String), reason },
    });
    expect(await prisma().connection.count({ where: { userId: id } })).toBe(0);
  });

  it("deletes the row when the webhook cannot be set", async () => {
    const { id, token } = await makeSignedInUser();
    services.faults.push({ match: /setWebhook/, response: "reset" });
    expect((await connect(token, { channel: "telegram", bot_token: makeBotToken() })).json.reason).toBe(
      "unreachable",
    );
    expect(await prisma().connection.count({ where: { userId: id } })).toBe(0);
    const [createdEvent, refusedEvent, ...otherEvents] = await prisma().auditEvent.findMany({
      where: { actorId: id, action: { startsWith: "connection." } },
      orderBy: { id: "asc" },
    });
    expect({ action: createdEvent!.action, refused: refusedEvent, more: otherEvents }).toEqual({
      action: "connection.created",
      refused: expect.objectContaining({
        action: "connection.refused",
        objectId: createdEvent!.objectId,
        details: { channel: "telegram", outcome: "retry" },
      }),
      more: [],
    });
  });

  it.each([
    "https://127.0.0.1",
    "http://example.com",
    "https://user:pw@example.com",
    "ftp://example.com",
    "https://example.com:22",
    "https://example.com?x=1",
  ])("refuses to call %s", async (base_url) => {
    const { token } = await makeSignedInUser();
    const { status, json } = await connect(token, {
      channel: "whatsapp_qr",
      base_url,
      api_key: "12345678",
      instance: "x",
    });
    expect(status).toBe(422);
    expect(json.reason === "not_public" || "base_url" in json.errors).toBe(true);
  });

  it("connects a bot to one account only when several request it concurrently", async () => {
    const accounts = await runConcurrently(4, () => makeSignedInUser());
    const bot_token = makeBotToken();
    const responses = await runConcurrently(20, (index) =>
      connect(accounts[index % 4]!.token, { channel: "telegram", bot_token }),
    );
    expect(countByStatus(responses)).toEqual({ 201: 1, 422: 19 });
    const refusal = responses.find(({ status }) => status === 422)!;
    expect(refusal.json.errors).toHaveProperty("bot_token");
  });

  it("accepts own sites only", async () => {
    const [owner, stranger] = [await makeSignedInUser(), await makeSignedInUser()];
    const { id } = await makeSite(stranger.id);
    const refusal = await connect(owner.token, {
      channel: "telegram",
      bot_token: makeBotToken(),
      site_ids: [id],
    });
    expect(refusal.json.errors).toHaveProperty("site_ids");
  });

  it("is refused while account-wide clean-up calls are due", async () => {
    const { id, token } = await makeSignedInUser();
    await makeConnection(id, {
      channel: "whatsapp",
      connectionType: "cloud_api",
      remoteKey: "83000",
      accountKey: "8300",
      isActive: false,
      cleanup: "running",
      sharedDue: true,
    });
    const whatsappBody = {
      channel: "whatsapp",
      waba_id: "8300",
      phone_number_id: "83001",
      access_token: "a-token-of-meta",
    };
    const { status, json } = await connect(token, whatsappBody);
    expect({ status, json }).toEqual({ status: 422, json: { success: false, error: expect.any(String) } });
  });
});

describe("updating a connection", () => {
  it("changes links, label and state; switching on sets a new webhook", async () => {
    const { id, token } = await makeSignedInUser();
    const site = await makeSite(id);
    const { json } = await connect(token, { channel: "telegram", bot_token: makeBotToken() });
    const { id: connectionId } = json.connection;
    expect(
      (await updateConnection(token, connectionId, { label: "Destek", site_ids: [site.id] })).json.connection,
    ).toMatchObject({
      label: "Destek",
      reasons: [],
      linked_sites: [{ id: site.id }],
    });
    expect(
      (await updateConnection(token, connectionId, { is_active: false })).json.connection.reasons,
    ).toEqual(["deactivated"]);
    const { hookHash } = await findConnectionRow(connectionId);
    expect(
      (await updateConnection(token, connectionId, { is_active: true })).json.connection.reasons,
    ).toEqual([]);
    expect((await findConnectionRow(connectionId)).hookHash).not.toEqual(hookHash);
    expect(services.calls.filter((call) => call.endsWith("setWebhook"))).toHaveLength(2);
  });

  it("switches the connection off and audits it when the provider refuses the webhook", async () => {
    const { id, token } = await makeSignedInUser();
    const connection = await makeConnection(id, { isActive: false });
    services.faults.push({ match: /setWebhook/, response: "reset" });
    expect((await updateConnection(token, connection.id, { is_active: true })).json.reason).toBe(
      "unreachable",
    );
    expect((await findConnectionRow(connection.id)).isActive).toBe(false);
    const auditEvents = await prisma().auditEvent.findMany({
      where: { actorId: id, action: { startsWith: "connection." } },
      orderBy: { id: "asc" },
    });
    expect(auditEvents.map(({ action, objectId }) => [action, objectId])).toEqual([
      ["connection.changed", String(connection.id)],
      ["connection.refused", String(connection.id)],
    ]);
  });

  it("is rejected during a clean-up; switching on cancels a failed clean-up", async () => {
    const { id, token } = await makeSignedInUser();
    const connection = await makeConnection(id, { isActive: false, cleanup: "running" });
    expect((await updateConnection(token, connection.id, { is_active: true })).status).toBe(422);
    expect((await updateConnection(token, connection.id, { site_ids: [] })).status).toBe(422);
    await prisma().connection.update({ where: { id: connection.id }, data: { cleanup: "none" } });
    services.faults.push({ match: /getWebhookInfo/, response: "reset" });
    const { json } = await cleanUp(token, "telegram", connection.id);
    expect(json.results[0].reason).toBe("remote_failed");
    expect((await updateConnection(token, connection.id, { is_active: true })).json.connection.cleanup).toBe(
      "none",
    );
    const item = await prisma().cleanupItem.findFirstOrThrow({ where: { runId: json.receipt_id } });
    expect(item).toMatchObject({ state: "refused", reason: "in_use", nextAt: null });
  });

  it("either switches on or cleans up a connection when both are requested at the same time, in 50 rounds", async () => {
    const { id, token } = await makeSignedInUser();
    const site = await makeSite(id);
    for (let round = 0; round < 50; round++) {
      const connection = await makeConnection(id, { isActive: false, siteIds: [site.id] });
      const [activation, cleanupResponse] = await Promise.all([
        updateConnection(token, connection.id, { is_active: true }),
        cleanUp(token, "telegram", connection.id),
      ]);
      const row = await prisma().connection.findUnique({ where: { id: connection.id } });
      expect([activation.status === 200, cleanupResponse.json.results[0].ok].filter(Boolean)).toHaveLength(1);
      expect(row === null).toBe(cleanupResponse.json.results[0].ok);
    }
  });

  it("accepts a new secret only for the same bot", async () => {
    const { token } = await makeSignedInUser();
    const secret = makeBotToken();
    const { json } = await connect(token, { channel: "telegram", bot_token: secret });
    const { id } = json.connection;
    expect((await updateConnection(token, id, { secret: makeBotToken() })).json.reason).toBe("other_account");
    const newSecret = `${secret.split(":")[0]}:${"n".repeat(35)}`;
    expect((await updateConnection(token, id, { secret: newSecret })).json.connection.secret_last_four).toBe(
      "nnnn",
    );
  });
});

describe("health checks", () => {
  it("report a dead token once, after two refusals ten minutes apart", async () => {
    const { id, email } = await makeSignedInUser();
    const connection = await makeConnection(id, {
      secret: `610000001:${"t".repeat(30)}REVOKED`,
      health: "ok",
    });
    await runConcurrently(10, () => checkConnectionHealth(connection.id));
    expect(await findConnectionRow(connection.id)).toMatchObject({ health: "ok", tokenDeadAt: null });
    await prisma().connection.update({
      where: { id: connection.id },
      data: { deadSeenAt: fromNow(-11 * MINUTE) },
    });
    await runConcurrently(10, () => checkConnectionHealth(connection.id));
    expect(await findConnectionRow(connection.id)).toMatchObject({
      health: "dead",
      tokenDeadAt: expect.any(Date),
    });
    expect(await deliverAndReadMails(server, email, "connection_token_dead")).toHaveLength(1);
    const anHourAgo = fromNow(-60 * MINUTE);
    await prisma().connection.update({
      where: { id: connection.id },
      data: { checkedAt: anHourAgo, nextCheckAt: anHourAgo },
    });
    await checkConnectionHealth(connection.id);
    const { checkedAt, nextCheckAt } = await findConnectionRow(connection.id);
    expect(checkedAt!.getTime()).toBeGreaterThan(anHourAgo.getTime());
    expect(nextCheckAt.getTime()).toBeGreaterThan(fromNow(20 * 60 * MINUTE).getTime());
  });

  it("list dead tokens to their owner, and to agents of their site with the owner as contact", async () => {
    const owner = await makeSignedInUser();
    const site = await makeSite(owner.id);
    const [agent, otherAgent] = await Promise.all(
      [site.id, (await makeSite(owner.id)).id].map((assignedSiteId) =>
        makeSignedInUser({ isAgentOnly: true, parentUserId: owner.id, assignedSiteId }),
      ),
    );
    const tokenDeadAt = fromNow(-60 * MINUTE);
    const { id } = await makeConnection(owner.id, {
      ...{ label: "@eski_bot", siteIds: [site.id] },
      ...{ health: "dead", deadSeenAt: fromNow(-90 * MINUTE), tokenDeadAt },
    });
    await makeConnection(owner.id, { siteIds: [site.id] });
    const readDead = async (token: string) => (await server.get("/api/connections/dead", token)).json;
    const connection = { id, channel: "telegram", label: "@eski_bot" };
    expect(await readDead(owner.token)).toMatchObject({
      count: 1,
      connections: [{ ...connection, dead_since: toIsoMicros(tokenDeadAt), contact: null }],
    });
    expect((await readDead(agent!.token)).connections).toMatchObject([
      { ...connection, contact: { name: owner.name, email: owner.email } },
    ]);
    expect(await readDead(otherAgent!.token)).toMatchObject({ count: 0, connections: [] });
  });

  it("distinguish an unreachable provider from a dead token, and reset the first refusal on success", async () => {
    const { id } = await makeSignedInUser();
    const connection = await makeConnection(id, { deadSeenAt: fromNow(-20 * MINUTE) });
    services.faults.push({ match: /getMe/, response: { status: 502, body: {} } });
    await checkConnectionHealth(connection.id);
    expect(await findConnectionRow(connection.id)).toMatchObject({
      health: "unreachable",
      tokenDeadAt: null,
    });
    await checkConnectionHealth(connection.id);
    expect(await findConnectionRow(connection.id)).toMatchObject({ health: "ok", deadSeenAt: null });
  });
});

describe("webhooks", () => {
  it("record a signed call, refuse a wrong signature, and respond 200 to an unknown URL", async () => {
    const { token } = await makeSignedInUser();
    const { json } = await connect(token, { channel: "telegram", bot_token: makeBotToken() });
    const row = await findConnectionRow(json.connection.id);
    const url = (await services.stores.telegram.get(`hook:${row.remoteKey}`)) as string;
    const { pathname } = new URL(url);
    await prisma().connection.update({ where: { id: row.id }, data: { lastOkAt: null } });
    expect((await callWebhook("POST", pathname)).status).toBe(401);
    expect((await findConnectionRow(row.id)).lastOkAt).toBeNull();
    const headers = { "x-telegram-bot-api-secret-token": deriveTelegramWebhookSecret(url) };
    expect((await callWebhook("POST", pathname, { headers })).status).toBe(200);
    expect((await findConnectionRow(row.id)).lastOkAt).not.toBeNull();
    expect((await callWebhook("POST", "/hooks/telegram/unknown")).status).toBe(200);
    expect((await callWebhook("POST", "/hooks/pigeon/unknown")).status).toBe(404);
  });

  it("answer Meta's challenge and check its signature over the raw bytes", async () => {
    const { token } = await makeSignedInUser();
    const whatsappBody = {
      channel: "whatsapp",
      waba_id: "8500",
      phone_number_id: "85000",
      access_token: "a-token-of-meta",
    };
    await connect(token, whatsappBody);
    const url = new URL((await services.stores.meta.get("override:85000")) as string);
    const secret = url.pathname.split("/").at(-1)!;
    const sendChallenge = (verifyToken: string) =>
      callWebhook(
        "GET",
        `${url.pathname}?hub.mode=subscribe&hub.challenge=42&hub.verify_token=${verifyToken}`,
      );
    expect(await (await sendChallenge(secret.slice(-32))).text()).toBe("42");
    expect((await sendChallenge("wrong")).status).toBe(403);
    const text = '{"entry":[]}';
    const signature = `sha256=${createHmac("sha256", "sandbox-app-secret").update(text).digest("hex")}`;
    const signedCall = { body: text, headers: { "x-hub-signature-256": signature } };
    expect((await callWebhook("POST", url.pathname, signedCall)).status).toBe(200);
    expect((await callWebhook("POST", url.pathname, { ...signedCall, body: `${text} ` })).status).toBe(401);
  });
});

describe("webhooks of other providers", () => {
  it("check Twilio's signature over URL and sorted fields with the account's own token", async () => {
    const { token } = await makeSignedInUser();
    const auth_token = "a-token-of-this-account";
    const whatsappBody = {
      channel: "sms",
      account_sid: TWILIO_ACCOUNT,
      auth_token,
      phone_number_sid: "PN7000",
    };
    const { json } = await connect(token, whatsappBody);
    const { sms_url: url } = (await services.stores.twilio.get("number:PN7000")) as { sms_url: string };
    const form = "To=%2B12025550100&Body=Merhaba&From=%2B905321234567";
    const signCall = (signingKey: string, signedContent = "BodyMerhabaFrom+905321234567To+12025550100") => ({
      body: form,
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        "x-twilio-signature": createHmac("sha1", signingKey)
          .update(`${url}${signedContent}`)
          .digest("base64"),
      },
    });
    const { pathname } = new URL(url);
    await prisma().connection.update({ where: { id: json.connection.id }, data: { lastOkAt: null } });
    for (const wrongCall of [signCall("another-token"), signCall(auth_token, "BodyHello"), { body: form }])
      expect((await callWebhook("POST", pathname, wrongCall)).status).toBe(401);
    expect((await findConnectionRow(json.connection.id)).lastOkAt).toBeNull();
    expect((await callWebhook("POST", pathname, signCall(auth_token))).status).toBe(200);
    expect((await findConnectionRow(json.connection.id)).lastOkAt).not.toBeNull();
    const voicePath = pathname.replace("/sms/", "/voice/");
    expect((await callWebhook("POST", voicePath, signCall(auth_token))).status).toBe(200);
  });

  it("accept signed calls of Meta's app and find the page by its ID", async () => {
    const { token } = await makeSignedInUser();
    const pages = ["8701", "8702"];
    const responses = await Promise.all(
      pages.map((page_id) =>
        connect(token, { channel: "messenger", page_id, access_token: "a-token-of-meta" }),
      ),
    );
    const ids = responses.map(({ json }) => json.connection.id as number);
    await prisma().connection.updateMany({ where: { id: { in: ids } }, data: { lastOkAt: null } });
    const text = JSON.stringify({ object: "page", entry: [{ id: pages[0] }, null, { id: 7 }] });
    const signature = `sha256=${createHmac("sha256", "sandbox-app-secret").update(text).digest("hex")}`;
    const callAppWebhook = (path: string, headers = {}) => callWebhook("POST", path, { body: text, headers });
    expect((await callAppWebhook("/hooks/messenger/app")).status).toBe(401);
    expect(
      (await callAppWebhook("/hooks/messenger/app", { "x-hub-signature-256": "sha256=00" })).status,
    ).toBe(401);
    expect((await callAppWebhook("/hooks/messenger/app", { "x-hub-signature-256": signature })).status).toBe(
      200,
    );
    const areUpdated = await Promise.all(
      ids.map(async (id) => (await findConnectionRow(id)).lastOkAt !== null),
    );
    expect(areUpdated).toEqual([true, false]);
    const sendChallenge = (verifyToken: string) =>
      callWebhook(
        "GET",
        `/hooks/messenger/app?hub.mode=subscribe&hub.challenge=7&hub.verify_token=${verifyToken}`,
      );
    expect([(await sendChallenge("verify-of-the-app")).status, (await sendChallenge("")).status]).toEqual([
      200, 403,
    ]);
  });
});

it("the sandbox exists in development, but not in production", async () => {
  const { isSandboxPath } = await import("@/server/transports/sandbox");
  // True: in production.
  expect(isSandboxPath("/dev/sandbox/telegram/", true)).toBe(false);
  const { status, json } = await sendHttp(
    server.port,
    "POST",
    `/dev/sandbox/telegram/bot${makeBotToken()}/getMe`,
    {
      headers: { host: "localhost" },
    },
  );
  expect({ status, ok: json.ok }).toEqual({ status: 200, ok: true });
});

it("a web chat gets its site's name as label and is never checked", async () => {
  const { id, token } = await makeSignedInUser();
  const site = await makeSite(id);
  const { status, json } = await connect(token, { channel: "web_chat", site_ids: [site.id] });
  expect({ status, connection: json.connection }).toEqual({
    status: 201,
    connection: expect.objectContaining({
      label: site.name,
      connection_type: "widget",
      last_ok_at: null,
      reasons: [],
    }),
  });
  expect((await cleanUp(token, "web_chat", json.connection.id)).json.results[0].reason).toBe("in_use");
});
