import { createHmac } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { fromNow, MINUTE } from "@/server/core/time";
import { prisma } from "@/server/infrastructure/database/client";
import { EVOLUTION_KEY, evolution } from "@/server/sandbox/evolution";
import { burst, countByStatus } from "@/server/testing/burst";
import { makeConnection, makeSignedInUser, makeSite } from "@/server/testing/factories";
import { send } from "@/server/testing/http";
import { resetLimits } from "@/server/testing/limits";
import { mailsTo } from "@/server/testing/mailbox";
import { fakeServices } from "@/server/testing/sandboxes";
import { testServer } from "@/server/testing/server";
import { CONNECTABLE, type Connectable } from "./policy";
import { checkHealth } from "./service/health";
import { telegramSecret } from "./telegram.provider";

const peer = await fakeServices();
const server = await testServer({
  env: { ...peer.env, META_VERIFY_TOKEN: "verify-of-the-app", RATE_LIMITS: "relaxed" },
});
beforeEach(async () => {
  await resetLimits();
  peer.faults.length = 0;
  peer.calls.length = 0;
});

let bots = 500_000_000;
const botToken = () => `${bots++}:${"t".repeat(35)}`;
const connect = (token: string, body: object) => server.post("/api/connections", body, { token });
const change = (token: string, id: number, body: object) =>
  server.call("PUT", `/api/connections/${id}`, { token, body });
const clean = (token: string, channel: string, id: number) =>
  server.post("/api/idle-connections/cleanup", { items: [{ channel, id }] }, { token });
const rowOf = (id: number) => prisma().connection.findUniqueOrThrow({ where: { id } });
const hook = (method: string, path: string, { body = "", headers = {} } = {}) =>
  fetch(`http://127.0.0.1:${server.port}${path}`, { method, headers, ...(method === "POST" && { body }) });

const ACCOUNT = `AC${"1".repeat(32)}`;
const FIELDS: Record<Exclude<Connectable, "web_chat" | "email">, object> = {
  telegram: { bot_token: botToken() },
  whatsapp: { waba_id: "8001", phone_number_id: "80010", access_token: "a-token-of-meta" },
  messenger: { page_id: "8100", access_token: "a-token-of-meta" },
  instagram: { ig_user_id: "8200", access_token: "ig8200-token" },
  whatsapp_qr: { base_url: `${peer.url}/evolution`, api_key: EVOLUTION_KEY, instance: "kayakahve" },
  sms: { account_sid: ACCOUNT, auth_token: "a-token-of-twilio", phone_number_sid: "PN1000" },
  voice: { account_sid: ACCOUNT, auth_token: "a-token-of-twilio", phone_number_sid: "PN1000" },
};

describe("every provider", () => {
  it.each(Object.entries(FIELDS))(
    "%s: sets, compares and clears the same webhook",
    async (channel, fields) => {
      const { id, token } = await makeSignedInUser();
      const site = await makeSite(id, { isActive: false, suspendedReason: "owner" });
      const { status, json } = await connect(token, { channel, ...fields, site_ids: [site.id] });
      expect({ status, connection: json.connection }).toEqual({
        status: 201,
        connection: expect.objectContaining({
          channel,
          connection_type: CONNECTABLE[channel as Connectable],
          health: "ok",
        }),
      });
      const dry = await server.post(
        "/api/idle-connections/cleanup",
        { items: [{ channel, id: json.connection.id }], dry_run: true },
        { token },
      );
      expect(dry.json.results[0]).toMatchObject({ ok: true, plan: { hook: "ours" } });
      const cleaned = await clean(token, channel, json.connection.id);
      expect(cleaned.json.results).toEqual([{ channel, id: json.connection.id, ok: true }]);
      const leftHooks = Object.entries(peer.stores).flatMap(([party, { all }]) =>
        [...all]
          .filter(([, value]) => JSON.stringify(value).includes("http://panel.test/hooks"))
          .map(() => party),
      );
      expect(leftHooks).toEqual([]);
      if (channel === "whatsapp_qr") expect(peer.stores.evolution.all.size).toBe(0);
    },
  );

  it("Evolution: deletes a zombie instance again until it is gone", async () => {
    const { id, token } = await makeSignedInUser();
    const fields = { ...FIELDS.whatsapp_qr, instance: "zombie1" };
    const { json } = await connect(token, { channel: "whatsapp_qr", ...fields });
    const cleaned = await clean(token, "whatsapp_qr", json.connection.id);
    expect(cleaned.json.results[0]).toMatchObject({ ok: true });
    expect(peer.stores.evolution.all.has("instance:zombie1")).toBe(false);
    expect(peer.calls.filter((call) => call.startsWith("DELETE") && call.includes("delete"))).toHaveLength(2);
    expect(await prisma().connection.count({ where: { userId: id } })).toBe(0);
    expect(evolution).toBeDefined();
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
    peer.faults.push({ match: /setWebhook/, response: "reset" });
    expect((await connect(token, { channel: "telegram", bot_token: botToken() })).json.reason).toBe(
      "unreachable",
    );
    expect(await prisma().connection.count({ where: { userId: id } })).toBe(0);
    const [created, refused, ...more] = await prisma().auditEvent.findMany({
      where: { actorId: id, action: { startsWith: "connection." } },
      orderBy: { id: "asc" },
    });
    expect({ action: created!.action, refused, more }).toEqual({
      action: "connection.created",
      refused: expect.objectContaining({
        action: "connection.refused",
        objectId: created!.objectId,
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

  it("gives a bot to one account when several connect it concurrently", async () => {
    const accounts = await burst(4, () => makeSignedInUser());
    const bot_token = botToken();
    const responses = await burst(20, (index) =>
      connect(accounts[index % 4]!.token, { channel: "telegram", bot_token }),
    );
    expect(countByStatus(responses)).toEqual({ 201: 1, 422: 19 });
    const refused = responses.find(({ status }) => status === 422)!;
    expect(refused.json.errors).toHaveProperty("bot_token");
  });

  it("accepts own sites only", async () => {
    const [mine, theirs] = [await makeSignedInUser(), await makeSignedInUser()];
    const { id } = await makeSite(theirs.id);
    const refused = await connect(mine.token, { channel: "telegram", bot_token: botToken(), site_ids: [id] });
    expect(refused.json.errors).toHaveProperty("site_ids");
  });

  it("waits until the shared calls of the account's last connection are made", async () => {
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
    const body = {
      channel: "whatsapp",
      waba_id: "8300",
      phone_number_id: "83001",
      access_token: "a-token-of-meta",
    };
    const { status, json } = await connect(token, body);
    expect({ status, json }).toEqual({ status: 422, json: { success: false, error: expect.any(String) } });
  });
});

describe("updating a connection", () => {
  it("links, renames, switches off and on; switching on sets a new webhook", async () => {
    const { id, token } = await makeSignedInUser();
    const site = await makeSite(id);
    const { json } = await connect(token, { channel: "telegram", bot_token: botToken() });
    const { id: connection } = json.connection;
    expect(
      (await change(token, connection, { label: "Destek", site_ids: [site.id] })).json.connection,
    ).toMatchObject({
      label: "Destek",
      reasons: [],
      linked_sites: [{ id: site.id }],
    });
    expect((await change(token, connection, { is_active: false })).json.connection.reasons).toEqual([
      "deactivated",
    ]);
    const { hookHash } = await rowOf(connection);
    expect((await change(token, connection, { is_active: true })).json.connection.reasons).toEqual([]);
    expect((await rowOf(connection)).hookHash).not.toEqual(hookHash);
    expect(peer.calls.filter((call) => call.endsWith("setWebhook"))).toHaveLength(2);
  });

  it("switches off and audits when the provider refuses the webhook", async () => {
    const { id, token } = await makeSignedInUser();
    const connection = await makeConnection(id, { isActive: false });
    peer.faults.push({ match: /setWebhook/, response: "reset" });
    expect((await change(token, connection.id, { is_active: true })).json.reason).toBe("unreachable");
    expect((await rowOf(connection.id)).isActive).toBe(false);
    const entries = await prisma().auditEvent.findMany({
      where: { actorId: id, action: { startsWith: "connection." } },
      orderBy: { id: "asc" },
    });
    expect(entries.map(({ action, objectId }) => [action, objectId])).toEqual([
      ["connection.changed", String(connection.id)],
      ["connection.refused", String(connection.id)],
    ]);
  });

  it("is refused during a clean-up, but ends a failed one", async () => {
    const { id, token } = await makeSignedInUser();
    const connection = await makeConnection(id, { isActive: false, cleanup: "running" });
    expect((await change(token, connection.id, { is_active: true })).status).toBe(422);
    expect((await change(token, connection.id, { site_ids: [] })).status).toBe(422);
    await prisma().connection.update({ where: { id: connection.id }, data: { cleanup: "none" } });
    peer.faults.push({ match: /getWebhookInfo/, response: "reset" });
    const { json } = await clean(token, "telegram", connection.id);
    expect(json.results[0].reason).toBe("remote_failed");
    expect((await change(token, connection.id, { is_active: true })).json.connection.cleanup).toBe("none");
    const item = await prisma().cleanupItem.findFirstOrThrow({ where: { runId: json.receipt_id } });
    expect(item).toMatchObject({ state: "refused", reason: "in_use", nextAt: null });
  });

  it("never switches on and cleans up the same connection, in 50 rounds", async () => {
    const { id, token } = await makeSignedInUser();
    const site = await makeSite(id);
    for (let round = 0; round < 50; round++) {
      const connection = await makeConnection(id, { isActive: false, siteIds: [site.id] });
      const [on, cleaned] = await Promise.all([
        change(token, connection.id, { is_active: true }),
        clean(token, "telegram", connection.id),
      ]);
      const row = await prisma().connection.findUnique({ where: { id: connection.id } });
      expect([on.status === 200, cleaned.json.results[0].ok].filter(Boolean)).toHaveLength(1);
      expect(row === null).toBe(cleaned.json.results[0].ok);
    }
  });

  it("accepts a new secret of the same bot only", async () => {
    const { token } = await makeSignedInUser();
    const secret = botToken();
    const { json } = await connect(token, { channel: "telegram", bot_token: secret });
    const { id } = json.connection;
    expect((await change(token, id, { secret: botToken() })).json.reason).toBe("token_refused");
    const fresh = `${secret.split(":")[0]}:${"n".repeat(35)}`;
    expect((await change(token, id, { secret: fresh })).json.connection.secret_last_four).toBe("nnnn");
  });
});

describe("health checks", () => {
  it("report a dead token once, after two refusals ten minutes apart", async () => {
    const { id, email } = await makeSignedInUser();
    const connection = await makeConnection(id, {
      secret: `610000001:${"t".repeat(30)}REVOKED`,
      health: "ok",
    });
    await burst(10, () => checkHealth(connection.id));
    expect(await rowOf(connection.id)).toMatchObject({ health: "ok", tokenDeadAt: null });
    await prisma().connection.update({
      where: { id: connection.id },
      data: { deadSeenAt: fromNow(-11 * MINUTE) },
    });
    await burst(10, () => checkHealth(connection.id));
    expect(await rowOf(connection.id)).toMatchObject({ health: "dead", tokenDeadAt: expect.any(Date) });
    expect(await mailsTo(server, email, "connection_token_dead")).toHaveLength(1);
    // A dead token is still checked once a day.
    const long = fromNow(-60 * MINUTE);
    await prisma().connection.update({
      where: { id: connection.id },
      data: { checkedAt: long, nextCheckAt: long },
    });
    await checkHealth(connection.id);
    const { checkedAt, nextCheckAt } = await rowOf(connection.id);
    expect(checkedAt!.getTime()).toBeGreaterThan(long.getTime());
    expect(nextCheckAt.getTime()).toBeGreaterThan(fromNow(20 * 60 * MINUTE).getTime());
  });

  it("distinguish an unreachable provider from a dead token, and reset the first refusal on success", async () => {
    const { id } = await makeSignedInUser();
    const connection = await makeConnection(id, { deadSeenAt: fromNow(-20 * MINUTE) });
    peer.faults.push({ match: /getMe/, response: { status: 502, body: {} } });
    await checkHealth(connection.id);
    expect(await rowOf(connection.id)).toMatchObject({ health: "unreachable", tokenDeadAt: null });
    await checkHealth(connection.id);
    expect(await rowOf(connection.id)).toMatchObject({ health: "ok", deadSeenAt: null });
  });
});

describe("webhooks", () => {
  it("record a signed call, refuse a wrong signature, and respond 200 to an unknown URL", async () => {
    const { token } = await makeSignedInUser();
    const { json } = await connect(token, { channel: "telegram", bot_token: botToken() });
    const row = await rowOf(json.connection.id);
    const url = (await peer.stores.telegram.get(`hook:${row.remoteKey}`)) as string;
    const { pathname } = new URL(url);
    await prisma().connection.update({ where: { id: row.id }, data: { lastOkAt: null } });
    expect((await hook("POST", pathname)).status).toBe(401);
    expect((await rowOf(row.id)).lastOkAt).toBeNull();
    const headers = { "x-telegram-bot-api-secret-token": telegramSecret(url) };
    expect((await hook("POST", pathname, { headers })).status).toBe(200);
    expect((await rowOf(row.id)).lastOkAt).not.toBeNull();
    expect((await hook("POST", "/hooks/telegram/unknown")).status).toBe(200);
    expect((await hook("POST", "/hooks/pigeon/unknown")).status).toBe(404);
  });

  it("pass Meta's verification and check its signature over the raw bytes", async () => {
    const { token } = await makeSignedInUser();
    const body = {
      channel: "whatsapp",
      waba_id: "8500",
      phone_number_id: "85000",
      access_token: "a-token-of-meta",
    };
    await connect(token, body);
    const url = new URL((await peer.stores.meta.get("override:85000")) as string);
    const secret = url.pathname.split("/").at(-1)!;
    const challenge = (verify: string) =>
      hook("GET", `${url.pathname}?hub.mode=subscribe&hub.challenge=42&hub.verify_token=${verify}`);
    expect(await (await challenge(secret.slice(-32))).text()).toBe("42");
    expect((await challenge("wrong")).status).toBe(403);
    const text = '{"entry":[]}';
    const signature = `sha256=${createHmac("sha256", "sandbox-app-secret").update(text).digest("hex")}`;
    const signed = { body: text, headers: { "x-hub-signature-256": signature } };
    expect((await hook("POST", url.pathname, signed)).status).toBe(200);
    expect((await hook("POST", url.pathname, { ...signed, body: `${text} ` })).status).toBe(401);
  });
});

describe("webhooks of other providers", () => {
  it("check Twilio's signature over URL and sorted fields with the account's own token", async () => {
    const { token } = await makeSignedInUser();
    const auth_token = "a-token-of-this-account";
    const body = { channel: "sms", account_sid: ACCOUNT, auth_token, phone_number_sid: "PN7000" };
    const { json } = await connect(token, body);
    const { sms_url: url } = (await peer.stores.twilio.get("number:PN7000")) as { sms_url: string };
    const form = "To=%2B12025550100&Body=Merhaba&From=%2B905321234567";
    const signed = (key: string, content = "BodyMerhabaFrom+905321234567To+12025550100") => ({
      body: form,
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        "x-twilio-signature": createHmac("sha1", key).update(`${url}${content}`).digest("base64"),
      },
    });
    const { pathname } = new URL(url);
    await prisma().connection.update({ where: { id: json.connection.id }, data: { lastOkAt: null } });
    for (const wrong of [signed("another-token"), signed(auth_token, "BodyHello"), { body: form }])
      expect((await hook("POST", pathname, wrong)).status).toBe(401);
    expect((await rowOf(json.connection.id)).lastOkAt).toBeNull();
    expect((await hook("POST", pathname, signed(auth_token))).status).toBe(200);
    expect((await rowOf(json.connection.id)).lastOkAt).not.toBeNull();
    // A webhook of one channel is unknown to the other.
    const other = pathname.replace("/sms/", "/voice/");
    expect((await hook("POST", other, signed(auth_token))).status).toBe(200);
  });

  it("find pages by their ID in calls of Meta's app, only when the app signed them", async () => {
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
    const call = (path: string, headers = {}) => hook("POST", path, { body: text, headers });
    expect((await call("/hooks/messenger/app")).status).toBe(401);
    expect((await call("/hooks/messenger/app", { "x-hub-signature-256": "sha256=00" })).status).toBe(401);
    expect((await call("/hooks/messenger/app", { "x-hub-signature-256": signature })).status).toBe(200);
    const isUpdated = await Promise.all(ids.map(async (id) => (await rowOf(id)).lastOkAt !== null));
    expect(isUpdated).toEqual([true, false]);
    const challenge = (verify: string) =>
      hook("GET", `/hooks/messenger/app?hub.mode=subscribe&hub.challenge=7&hub.verify_token=${verify}`);
    expect([(await challenge("verify-of-the-app")).status, (await challenge("")).status]).toEqual([200, 403]);
  });
});

it("serves no sandbox in production", async () => {
  const { isSandbox } = await import("@/server/transports/sandbox");
  expect(isSandbox("/dev/sandbox/telegram/", true)).toBe(false);
  const { status, json } = await send(server.port, "POST", `/dev/sandbox/telegram/bot${botToken()}/getMe`, {
    headers: { host: "localhost" },
  });
  expect({ status, ok: json.ok }).toEqual({ status: 200, ok: true });
});

it("labels a web chat with its site's name and has no health check", async () => {
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
  expect((await clean(token, "web_chat", json.connection.id)).json.results[0].reason).toBe("in_use");
});
