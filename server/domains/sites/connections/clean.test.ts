import { beforeEach, describe, expect, it, vi } from "vitest";
import { DAY, fromNow, MINUTE } from "@/server/core/time";
import { pool, prisma } from "@/server/infrastructure/database/client";
import { runConcurrently } from "@/server/testing/burst";
import {
  makeConnection,
  makeProvenUser,
  makeReseller,
  makeSite,
  makeSubscription,
  makeToken,
} from "@/server/testing/factories";
import { countLockWaits } from "@/server/testing/locks";
import { deliverAndReadMails } from "@/server/testing/mailbox";
import { resetRateLimits } from "@/server/testing/rate-limits";
import { startFakeServices } from "@/server/testing/sandboxes";
import { startTestServer } from "@/server/testing/server";
import { listUnsubscribeCalls, makeWhatsappConnections } from "@/server/testing/whatsapp";
import { archiveReaders } from "./export";
import { performCleanupItem } from "./service/perform-item";

const services = await startFakeServices();
const server = await startTestServer({ env: { ...services.env, RATE_LIMITS: "relaxed" } });
beforeEach(async () => {
  await resetRateLimits();
  services.faults.length = 0;
  services.calls.length = 0;
});

const OUR_HOOKS_URL = "http://panel.test/hooks";
const cleanUp = (token: string, items: unknown, options: object = {}) =>
  server.post("/api/idle-connections/cleanup", { items, ...options }, { token });
const findConnection = (id: number) => prisma().connection.findUnique({ where: { id } });
const getReceipt = async (id: string, token: string) =>
  (await server.get(`/api/connection-cleanups/${id}`, token)).json.receipt;

async function makeBotConnection(
  userId: number,
  data: Parameters<typeof makeConnection>[1] = {},
  url = `${OUR_HOOKS_URL}/telegram/x`,
) {
  const connection = await makeConnection(userId, data);
  if (url) await services.stores.telegram.set(`hook:${connection.remoteKey}`, url);
  return { channel: "telegram", id: connection.id, key: connection.remoteKey };
}

const makeNumberConnections = (userId: number, count: number, businessAccountId: string) =>
  makeWhatsappConnections(services, userId, { businessAccountId, count });

describe("cleaning up connections", () => {
  it("removes the webhook, the site links and the row, and records every call", async () => {
    const { id, token } = await makeProvenUser();
    const site = await makeSite(id, { isActive: false, suspendedReason: "owner" });
    const item = await makeBotConnection(id, { siteIds: [site.id] });
    const { status, json } = await cleanUp(token, [{ channel: "telegram", id: item.id }]);
    expect({ status, json }).toEqual({
      status: 200,
      json: {
        success: true,
        results: [{ channel: "telegram", id: item.id, ok: true }],
        cleaned_count: 1,
        receipt_id: expect.any(String),
        dry_run: false,
      },
    });
    expect(await findConnection(item.id)).toBeNull();
    expect(await prisma().connectionSite.count({ where: { connectionId: item.id } })).toBe(0);
    expect(await services.stores.telegram.get(`hook:${item.key}`)).toBeUndefined();
    const receipt = await getReceipt(json.receipt_id, token);
    expect(receipt.finished_at).not.toBeNull();
    expect(
      receipt.items[0].calls.map(({ step, call, outcome }: Record<string, string>) => [step, call, outcome]),
    ).toEqual([
      ["compare", expect.stringMatching(/^POST 127\.0\.0\.1:\d+\/bot\{token\}\/getWebhookInfo$/), "ok"],
      ["clear", expect.stringMatching(/\/bot\{token\}\/deleteWebhook$/), "ok"],
    ]);
    const auditEvent = await prisma().auditEvent.findFirst({
      where: { action: "connection.cleaned", objectId: String(item.id) },
    });
    expect(auditEvent).toMatchObject({
      actorId: id,
      details: { channel: "telegram", outcome: "ok", receipt: json.receipt_id },
    });
  });

  it("skips connections of others and those in use, and returns results in the order of the request", async () => {
    const [owner, stranger] = [await makeProvenUser(), await makeProvenUser()];
    const site = await makeSite(owner.id);
    const items = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        index % 2 === 0
          ? makeBotConnection(stranger.id)
          : makeBotConnection(owner.id, { siteIds: index % 10 === 1 ? [site.id] : [] }),
      ),
    );
    const requestedItems = items.map(({ channel, id }) => ({ channel, id }));
    const { json } = await cleanUp(owner.token, requestedItems);
    // 50 of 100 connections are the stranger's, 10 serve an active site, and 40 are idle.
    expect(json.cleaned_count).toBe(40);
    expect(json.results).toEqual(
      requestedItems.map((item, index) =>
        index % 2 === 0
          ? { ...item, ok: false, reason: "not_found" }
          : index % 10 === 1
            ? { ...item, ok: false, reason: "in_use" }
            : { ...item, ok: true },
      ),
    );
    expect(await prisma().connection.count({ where: { userId: stranger.id } })).toBe(50);
    expect(await prisma().connection.count({ where: { userId: owner.id } })).toBe(10);
    const secondResponse = await cleanUp(owner.token, requestedItems);
    expect(secondResponse.json.cleaned_count).toBe(0);
    expect(
      secondResponse.json.results.filter(({ reason }: { reason?: string }) => reason === "already_clean"),
    ).toHaveLength(40);
  });

  it.each([
    ["101 items", Array.from({ length: 101 }, (_, id) => ({ channel: "telegram", id: id + 1 }))],
    ["an empty list", []],
    ["a text for a number", [{ channel: "telegram", id: "7" }]],
    ["half a number", [{ channel: "telegram", id: 1.5 }]],
    ["no channel", [{ id: 7 }]],
    ["an object for a list", { 0: { channel: "telegram", id: 7 } }],
  ])("rejects %s with 422", async (_what, items) => {
    const { token } = await makeProvenUser();
    expect((await cleanUp(token, items)).status).toBe(422);
  });

  it("reports unknown channels and IDs as not_found and continues", async () => {
    const { id, token } = await makeProvenUser();
    const item = await makeBotConnection(id);
    const unknownItems = [
      { channel: "__proto__", id: item.id },
      { channel: "whatsapp", id: item.id },
      { channel: "telegram", id: -1 },
      { channel: "telegram", id: 0 },
      { channel: "telegram", id: 2_147_483_648 },
      { channel: "telegram", id: Number.MAX_SAFE_INTEGER },
    ];
    const { json } = await cleanUp(token, [...unknownItems, { channel: item.channel, id: item.id }]);
    expect(json.results).toEqual([
      ...unknownItems.map((requestedItem) => ({ ...requestedItem, ok: false, reason: "not_found" })),
      { channel: "telegram", id: item.id, ok: true },
    ]);
  });

  it("processes a repeated item once and returns its result each time", async () => {
    const { id, token } = await makeProvenUser();
    const { channel, id: connectionId } = await makeBotConnection(id);
    const item = { channel, id: connectionId };
    const { json } = await cleanUp(token, [item, item, item]);
    expect(json).toMatchObject({
      cleaned_count: 1,
      results: [item, item, item].map((requestedItem) => ({ ...requestedItem, ok: true })),
    });
    expect(services.calls.filter((call) => call.endsWith("deleteWebhook"))).toHaveLength(1);
  });

  it("allows the owner's reseller and administrators, but not the parent", async () => {
    const reseller = await makeProvenUser({ role: "reseller" });
    await makeReseller(reseller.id);
    const parent = await makeProvenUser({ resellerId: reseller.id });
    const subAccount = await makeProvenUser({ parentUserId: parent.id });
    const item = await makeBotConnection(subAccount.id);
    const requestedItems = [{ channel: "telegram", id: item.id }];
    expect((await cleanUp(parent.token, requestedItems)).json.results[0]).toEqual({
      ...requestedItems[0],
      ok: false,
      reason: "forbidden",
    });
    expect((await cleanUp(reseller.token, requestedItems)).json.cleaned_count).toBe(1);
    const { token } = await makeProvenUser({ role: "admin" });
    const secondItem = await makeBotConnection(subAccount.id);
    expect((await cleanUp(token, [{ channel: "telegram", id: secondItem.id }])).json.cleaned_count).toBe(1);
  });

  it("hides labels and calls of accounts that left the caller's scope, and does not retry their items", async () => {
    const [reseller, nextReseller] = [
      await makeProvenUser({ role: "reseller" }),
      await makeProvenUser({ role: "reseller" }),
    ];
    for (const { id } of [reseller, nextReseller]) await makeReseller(id);
    const [customer, otherCustomer] = [
      await makeProvenUser({ resellerId: reseller.id }),
      await makeProvenUser({ resellerId: reseller.id }),
    ];
    const items = [
      await makeBotConnection(customer.id, { label: "Gizli hat" }),
      await makeBotConnection(otherCustomer.id, { label: "Açık hat" }),
      await makeBotConnection(customer.id, { label: "Gizli son" }),
    ];
    services.faults.push({ match: /deleteWebhook/, response: "reset", times: 2 });
    const requestedItems = items.map(({ channel, id }) => ({ channel, id }));
    const { json } = await cleanUp(reseller.token, requestedItems, { background: true });
    const runId: string = json.receipt_id;
    const cleanupItems = await prisma().cleanupItem.findMany({
      where: { runId },
      orderBy: { position: "asc" },
    });
    for (const { id } of cleanupItems) await performCleanupItem(id);
    const path = `/api/connection-cleanups/${runId}`;
    const downloadCsv = async (token: string) => (await server.get(`${path}/csv`, token)).text;
    expect(
      JSON.stringify(await getReceipt(runId, reseller.token)) + (await downloadCsv(reseller.token)),
    ).toContain("Gizli");

    await prisma().user.update({ where: { id: customer.id }, data: { resellerId: nextReseller.id } });
    const receipt = await getReceipt(runId, reseller.token);
    expect(receipt.counts).toEqual({ ok: 1, refused: 0, failed: 2, open: 0 });
    expect(receipt.items).toMatchObject([
      { state: "failed", ok: false, reason: "forbidden", label: "—", calls: [], next_at: null },
      { state: "failed", reason: "remote_failed", retryable: true, label: "Açık hat" },
      { state: "ok", label: "—", calls: [] },
    ]);
    expect(receipt.items[0]).not.toHaveProperty("retryable");
    expect(await downloadCsv(reseller.token)).not.toContain("Gizli");
    const nextReceipt = await getReceipt(runId, nextReseller.token);
    expect(nextReceipt.items.map(({ label }: { label: string }) => label)).toEqual([
      "Gizli hat",
      "Gizli son",
    ]);

    const secondResponse = await server.post(`${path}/retry`, {}, { token: reseller.token });
    expect(secondResponse.json.results).toEqual([
      { ...requestedItems[0], ok: false, reason: "forbidden" },
      { ...requestedItems[1], ok: true },
      { ...requestedItems[2], ok: true },
    ]);
    expect(await findConnection(items[0]!.id)).toMatchObject({ cleanup: "failed" });

    // Jobs still finish started items. Failure mails go only to accounts that may see the connection.
    await prisma().cleanupItem.update({
      where: { id: cleanupItems[0]!.id },
      data: { createdAt: fromNow(-31 * DAY), nextAt: new Date() },
    });
    services.faults.push({ match: /deleteWebhook/, response: "reset" });
    await performCleanupItem(cleanupItems[0]!.id);
    expect(await deliverAndReadMails(server, reseller.email, "connection_cleanup_failed")).toEqual([]);
    expect(await deliverAndReadMails(server, customer.email, "connection_cleanup_failed")).toHaveLength(1);
    const exportAsText = async ({ id }: { id: number }) =>
      JSON.stringify(await archiveReaders.connection_cleanups(prisma(), id));
    expect(await exportAsText(customer)).toContain("Gizli hat");
    expect(await exportAsText(reseller)).not.toContain("hat");
    // A failed item would fail the health check in the tests below.
    await prisma().cleanupRun.delete({ where: { id: runId } });
  });

  it("requires the ability connections:cleanup", async () => {
    const { id } = await makeProvenUser();
    const token = await makeToken(id, { abilities: ["read"] });
    expect((await cleanUp(token, [{ channel: "telegram", id: 1 }])).status).toBe(403);
  });

  it("leaves a foreign webhook unchanged", async () => {
    const { id, token } = await makeProvenUser();
    const item = await makeBotConnection(id, {}, "https://other.example.com/hook");
    const { json } = await cleanUp(token, [{ channel: "telegram", id: item.id }]);
    expect(json.cleaned_count).toBe(1);
    expect(await services.stores.telegram.get(`hook:${item.key}`)).toBe("https://other.example.com/hook");
    expect((await getReceipt(json.receipt_id, token)).items[0].calls).toMatchObject([
      { step: "compare", outcome: "ok" },
    ]);
  });

  it("removes the connection without a call when the token is dead, and reports it", async () => {
    const { id, token } = await makeProvenUser();
    const secret = `123456789:${"a".repeat(30)}REVOKED`;
    const item = await makeBotConnection(id, { secret });
    const { json } = await cleanUp(token, [{ channel: "telegram", id: item.id }]);
    expect(json.results).toEqual([{ channel: "telegram", id: item.id, ok: true, token_dead: true }]);
    const receiptText = JSON.stringify(await getReceipt(json.receipt_id, token));
    expect(receiptText).not.toContain(secret);
  });

  it("changes nothing in a dry run and returns the plan", async () => {
    const { id, token } = await makeProvenUser();
    const [firstNumber, secondNumber] = await makeNumberConnections(id, 2, "7001");
    const items = [{ channel: "whatsapp", id: firstNumber!.id }];
    const { json } = await cleanUp(token, items, { dry_run: true });
    expect(json).toMatchObject({
      receipt_id: null,
      dry_run: true,
      results: [{ ok: true, plan: { hook: "ours", shared: false, siblings: [{ id: secondNumber!.id }] } }],
    });
    const dryRunOfBoth = await cleanUp(token, [...items, { channel: "whatsapp", id: secondNumber!.id }], {
      dry_run: true,
    });
    expect(dryRunOfBoth.json.results[1].plan).toMatchObject({ shared: true, siblings: [] });
    expect(services.calls.every((call) => call.startsWith("GET"))).toBe(true);
    expect(await prisma().connection.count({ where: { userId: id, cleanup: "none", isActive: true } })).toBe(
      2,
    );
    expect(await prisma().cleanupRun.count({ where: { askedById: id } })).toBe(0);
  });
});

describe("settings shared by a provider account", () => {
  it("are removed once, with the last connection; other apps stay", async () => {
    const { id, token } = await makeProvenUser();
    const requestedItems = await makeNumberConnections(id, 4, "7002");
    expect((await cleanUp(token, requestedItems.slice(0, 2))).json.cleaned_count).toBe(2);
    expect(listUnsubscribeCalls(services, "7002")).toHaveLength(0);
    expect((await cleanUp(token, requestedItems.slice(2))).json.cleaned_count).toBe(2);
    expect(listUnsubscribeCalls(services, "7002")).toHaveLength(1);
    expect(await services.stores.meta.get("apps:7002")).toEqual(["9"]);
  });

  it("include an account-wide override that calls us, but not one that calls another URL", async () => {
    const { id, token } = await makeProvenUser();
    for (const [businessAccountId, url, remainingUrl] of [
      ["7005", `${OUR_HOOKS_URL}/whatsapp/old`, undefined],
      ["7006", "https://other.example.com/hook", "https://other.example.com/hook"],
    ] as const) {
      const [item] = await makeNumberConnections(id, 2, businessAccountId);
      await services.stores.meta.set(`override:${businessAccountId}`, url);
      const { json } = await cleanUp(token, [{ channel: "whatsapp", id: item!.id }]);
      expect(json.cleaned_count).toBe(1);
      expect(await services.stores.meta.get(`override:${businessAccountId}`)).toBe(remainingUrl);
      expect(await services.stores.meta.get(`apps:${businessAccountId}`)).toContain("100000000000001");
    }
  });

  it("are removed once when twenty calls clean up the same eight connections", async () => {
    const { id, token } = await makeProvenUser();
    const requestedItems = await makeNumberConnections(id, 8, "7003");
    const responses = await runConcurrently(20, () => cleanUp(token, requestedItems));
    expect(responses.every(({ status }) => status === 200)).toBe(true);
    expect(responses.reduce((sum, { json }) => sum + json.cleaned_count, 0)).toBe(8);
    expect(await prisma().connection.count({ where: { userId: id } })).toBe(0);
    expect(listUnsubscribeCalls(services, "7003")).toHaveLength(1);
  });
});

describe("failing providers", () => {
  const RETRYABLE_FAILURE = { ok: false, reason: "remote_failed", retryable: true };

  it.each([
    ["responds 500", { status: 500, body: { ok: false, error_code: 500, description: "Internal" } }],
    ["responds 429", { status: 429, body: { ok: false, error_code: 429, description: "Too Many Requests" } }],
    ["responds in HTML", "html"],
    ["sends 10 MB", "huge"],
    ["resets the connection", "reset"],
    ["succeeds, then resets the connection", "commit_then_reset"],
  ] as const)("%s: keeps the connection switched off and retries", async (_what, faultResponse) => {
    const { id, token } = await makeProvenUser();
    const item = await makeBotConnection(id);
    services.faults.push({ match: /deleteWebhook/, response: faultResponse });
    const { json } = await cleanUp(token, [{ channel: "telegram", id: item.id }]);
    expect(json.results).toEqual([{ channel: "telegram", id: item.id, ...RETRYABLE_FAILURE }]);
    expect(await findConnection(item.id)).toMatchObject({ cleanup: "failed", isActive: false });
    const secondResponse = await server.post(
      `/api/connection-cleanups/${json.receipt_id}/retry`,
      {},
      { token },
    );
    expect(secondResponse.json).toMatchObject({ cleaned_count: 1, results: [{ ok: true }] });
    expect(await findConnection(item.id)).toBeNull();
    expect(await services.stores.telegram.get(`hook:${item.key}`)).toBeUndefined();
  });

  it("gives up after thirty days, mails the requester and fails the health check", async () => {
    const { id, email, token } = await makeProvenUser();
    const item = await makeBotConnection(id);
    services.faults.push({ match: /deleteWebhook/, response: "reset" });
    const { json } = await cleanUp(token, [{ channel: "telegram", id: item.id }]);
    const where = { runId: json.receipt_id };
    await prisma().cleanupItem.updateMany({
      where,
      data: { createdAt: fromNow(-31 * DAY), nextAt: new Date() },
    });
    expect((await server.get("/api/health")).json.checks.cleanups).toEqual({ ok: true, detail: "in time" });
    services.faults.push({ match: /deleteWebhook/, response: { status: 500, body: {} } });
    const { id: itemId } = await prisma().cleanupItem.findFirstOrThrow({ where });
    await runConcurrently(5, () => performCleanupItem(itemId));
    const [mail, ...otherMails] = await deliverAndReadMails(server, email, "connection_cleanup_failed");
    expect(otherMails).toEqual([]);
    expect(mail!.text).toContain(`/connections/cleanups/${json.receipt_id}`);
    const health = await server.get("/api/health");
    expect({ status: health.status, cleanups: health.json.checks.cleanups }).toEqual({
      status: 503,
      cleanups: { ok: false, detail: "given up" },
    });
    const secondResponse = await server.post(
      `/api/connection-cleanups/${json.receipt_id}/retry`,
      {},
      { token },
    );
    expect(secondResponse.json.cleaned_count).toBe(1);
    expect((await server.get("/api/health")).json.checks.cleanups.ok).toBe(true);
  });

  it("does not retry when the provider forbids the call", async () => {
    const { id, token } = await makeProvenUser();
    await services.stores.meta.set("override:700400", `${OUR_HOOKS_URL}/whatsapp/x`);
    const { id: connectionId } = await makeConnection(id, {
      channel: "whatsapp",
      connectionType: "cloud_api",
      remoteKey: "700400",
      accountKey: "7004",
      secret: "a-token-with-NORIGHTS",
    });
    const { json } = await cleanUp(token, [{ channel: "whatsapp", id: connectionId }]);
    expect(json.results).toEqual([
      { channel: "whatsapp", id: connectionId, ok: false, reason: "remote_forbidden" },
    ]);
    const item = await prisma().cleanupItem.findFirstOrThrow({ where: { runId: json.receipt_id } });
    expect(item).toMatchObject({ state: "failed", nextAt: null });
  });
});

describe("connections that become active again", () => {
  it("are never cleaned up while their site is activated concurrently, in 50 rounds", async () => {
    const { id, token } = await makeProvenUser();
    await makeSubscription(id, { slots: 1 });
    // A deferred trigger checks the committed state: no linked site may be active after the decision.
    await prisma().$executeRaw`
      create function refuse_in_use() returns trigger language plpgsql as $$
      begin
        if exists (select from connection_sites l join sites s on s.id = l.site_id
                    where l.connection_id = new.id and s.is_active and s.deleted_at is null) then
          raise exception 'cleaned up while in use';
        end if;
        return null;
      end $$`;
    await prisma().$executeRaw`
      create constraint trigger no_use after update on connections deferrable initially deferred
      for each row when (new.cleanup = 'running' and old.cleanup = 'none') execute function refuse_in_use()`;
    const site = await makeSite(id, { isActive: false, suspendedReason: "owner" });
    const roundCounts = { cleaned: 0, kept: 0 };
    for (let round = 0; round < 50; round++) {
      await prisma().site.update({
        where: { id: site.id },
        data: { isActive: false, suspendedReason: "owner", subscriptionId: null },
      });
      const item = await makeBotConnection(id, { siteIds: [site.id] });
      const [cleanupResponse] = await Promise.all([
        cleanUp(token, [{ channel: "telegram", id: item.id }]),
        server.post(`/api/sites/${site.id}/activate`, {}, { token }),
      ]);
      const { ok, reason } = cleanupResponse.json.results[0];
      const row = await findConnection(item.id);
      if (ok) expect(row).toBeNull();
      else {
        expect(reason).toBe("in_use");
        expect(row).toMatchObject({ cleanup: "none", isActive: true });
      }
      roundCounts[ok ? "cleaned" : "kept"]++;
    }
    expect(roundCounts.cleaned + roundCounts.kept).toBe(50);
    await prisma().$executeRaw`drop trigger no_use on connections`;
  });
});

it("waits for a concurrent activation of the site, then refuses the clean-up", async () => {
  const { id, token } = await makeProvenUser();
  const site = await makeSite(id, { isActive: false, suspendedReason: "owner" });
  const item = await makeBotConnection(id, { siteIds: [site.id] });
  const client = await pool().connect();
  await client.query("begin");
  await client.query("update sites set is_active = true, suspended_reason = null where id = $1", [site.id]);
  let isSettled = false;
  const pendingCleanup = cleanUp(token, [{ channel: "telegram", id: item.id }]).finally(() => {
    isSettled = true;
  });
  await vi.waitUntil(async () => isSettled || (await countLockWaits()) > 0, { timeout: 60_000 });
  await client.query("commit");
  client.release();
  expect((await pendingCleanup).json.results).toEqual([
    { channel: "telegram", id: item.id, ok: false, reason: "in_use" },
  ]);
  expect(await findConnection(item.id)).toMatchObject({ cleanup: "none", isActive: true });
});

describe("crash recovery", () => {
  it("processes an abandoned item again from the start", async () => {
    const { id, token } = await makeProvenUser();
    const item = await makeBotConnection(id);
    const { json } = await cleanUp(token, [{ channel: "telegram", id: item.id }], { background: true });
    expect(json.results[0]).toEqual({
      channel: "telegram",
      id: item.id,
      ok: false,
      reason: "running",
      retryable: true,
    });
    const { id: itemId } = await prisma().cleanupItem.findFirstOrThrow({ where: { runId: json.receipt_id } });
    const setClaimTime = (claimedAt: Date) =>
      prisma().cleanupItem.update({
        where: { id: itemId },
        data: { state: "running", claimedAt, attempts: 1 },
      });
    // A claim expires after 3 minutes (`claimCleanupItem`).
    await setClaimTime(fromNow(-2 * MINUTE));
    await performCleanupItem(itemId);
    expect(await findConnection(item.id)).not.toBeNull();
    await setClaimTime(fromNow(-4 * MINUTE));
    await prisma().connection.update({
      where: { id: item.id },
      data: { cleanup: "running", isActive: false },
    });
    await runConcurrently(20, () => performCleanupItem(itemId));
    expect(await findConnection(item.id)).toBeNull();
    expect(await getReceipt(json.receipt_id, token)).toMatchObject({ counts: { ok: 1, open: 0 } });
    expect(services.calls.filter((call) => call.endsWith("deleteWebhook"))).toHaveLength(1);
  });

  it("processes queued items of a request in jobs", async () => {
    const { id, token } = await makeProvenUser();
    const item = await makeBotConnection(id);
    await cleanUp(token, [{ channel: "telegram", id: item.id }], { background: true });
    await server.runJobs();
    expect(await findConnection(item.id)).toBeNull();
  });
});
