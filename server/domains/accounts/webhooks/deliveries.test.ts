import { Webhook } from "standardwebhooks";
import { beforeEach, describe, expect, it } from "vitest";
import { prisma } from "@/server/infrastructure/database/client";
import { inTransaction, withoutTransaction } from "@/server/infrastructure/database/transaction";
import { sandboxResponse } from "@/server/sandbox/sandbox";
import {
  makeProvenUser,
  makeReseller,
  makeSubscription,
  makeToken,
  makeUser,
} from "@/server/testing/factories";
import { deliverAndReadMails } from "@/server/testing/mailbox";
import { resetRateLimits } from "@/server/testing/rate-limits";
import { startFakeServices } from "@/server/testing/sandboxes";
import { startTestServer } from "@/server/testing/server";
import { deleteOldWebhookEventsJob, fanOutWebhooksJob } from "./jobs";
import { dispatchDeliveries } from "./service/dispatcher";
import { emitWebhookEvent } from "./service/events";
import { sendAttempt, TIMEOUTS_MS } from "./service/send";
import { claimDueDeliveries } from "./statements";

const services = await startFakeServices();
const server = await startTestServer({
  env: { ...services.env, WEBHOOK_RETRY_SECONDS: "0,0,0,0,0,0,0,0,0,0", RATE_LIMITS: "relaxed" },
});
const { call, get, post, runJobs } = server;
const receivedBodies = new Map<string, string[]>();
services.onCall = (line, body) => {
  const name = line.slice(line.lastIndexOf("/") + 1);
  receivedBodies.set(name, [...(receivedBodies.get(name) ?? []), body]);
};
beforeEach(async () => {
  await resetRateLimits();
  services.faults.length = 0;
  services.calls.length = 0;
  receivedBodies.clear();
  // Endpoints of earlier administrators would receive all events.
  await prisma().webhookEndpoint.deleteMany();
  await prisma().webhookEvent.deleteMany();
});

let endpointCount = 0;
async function createEndpoint(token: string, body: object = {}) {
  const name = `desk${++endpointCount}`;
  const response = await post(
    "/api/webhooks",
    { url: `${services.url}/webhook/${name}`, ...body },
    { token },
  );
  expect(response.status).toBe(201);
  return { id: response.json.webhook.id as number, secret: response.json.secret as string, name };
}
const listReceivedTypes = (name: string) =>
  (receivedBodies.get(name) ?? []).map((body) => JSON.parse(body).type);
const emitEvent = (ownerId: number, label = "Bot") =>
  emitWebhookEvent(withoutTransaction(), {
    type: "connection.token_dead",
    ownerId,
    data: { id: 1, channel: "telegram", label, site_ids: [] },
  });
async function readDeliveries(id: number, token: string) {
  const { status, json } = await get(`/api/webhooks/${id}/deliveries`, token);
  expect(status).toBe(200);
  return json.deliveries;
}
const makeReceiverFail = (name: string, status: number, times: number, headers?: Record<string, string>) =>
  services.faults.push({
    match: new RegExp(`/${name}$`),
    times,
    response: { ...sandboxResponse(status, {}), headers },
  });
function blockNextRequest(name: string) {
  let release = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  let arrive = () => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  services.faults.push({
    match: new RegExp(`/${name}$`),
    times: 1,
    response: async (perform) => {
      arrive();
      await gate;
      return perform();
    },
  });
  return { arrived, release };
}

describe("an event", () => {
  it("is sent to its owner, parent, reseller and administrators who subscribed, with a signature for each", async () => {
    const admin = await makeProvenUser({ role: "admin" });
    const reseller = await makeProvenUser({ role: "reseller" });
    await makeReseller(reseller.id);
    const parent = await makeProvenUser({ resellerId: reseller.id });
    const owner = await makeProvenUser({ parentUserId: parent.id });
    await makeSubscription(owner.id, { plan: "starter" });
    const passiveAdmin = await makeProvenUser({ role: "admin" });
    const endpoints = [];
    for (const { token } of [owner, parent, reseller, admin, await makeProvenUser(), passiveAdmin])
      endpoints.push(await createEndpoint(token));
    const filteredEndpoint = await createEndpoint(owner.token, { events: ["site.deleted"] });
    await prisma().user.update({ where: { id: passiveAdmin.id }, data: { isActive: false } });
    const response = await post(
      "/api/sites",
      { name: "Kaya", domain: "kaya-events.com" },
      { token: owner.token },
    );
    expect(response.status).toBe(201);
    await runJobs();
    expect([...endpoints, filteredEndpoint].map(({ name }) => listReceivedTypes(name).length)).toEqual([
      1, 1, 1, 1, 0, 0, 0,
    ]);
    const { id, domain, user_id, created_at } = response.json.site;
    expect(JSON.parse(receivedBodies.get(endpoints[0]!.name)![0]!)).toEqual({
      type: "site.created",
      timestamp: created_at,
      data: { id, domain, user_id, created_at },
    });
    for (const { name, secret } of endpoints.slice(0, 4)) {
      const lastRequest = services.stores.webhook.entries.get(`last:${name}`) as Record<string, string>;
      const headers = {
        "webhook-id": lastRequest.id!,
        "webhook-timestamp": lastRequest.timestamp!,
        "webhook-signature": lastRequest.signature!,
      };
      new Webhook(secret).verify(lastRequest.body!, headers);
      expect(lastRequest.id).toMatch(/^msg_[0-9A-Z]{26}$/);
    }
    const [delivery] = await readDeliveries(endpoints[0]!.id, owner.token);
    expect(delivery).toMatchObject({
      type: "site.created",
      state: "delivered",
      next_attempt_at: null,
      payload: { data: { id } },
      attempts: [{ error: null, status_code: 204 }],
    });
  });

  it("is emitted once per change, and not after a rollback", async () => {
    const owner = await makeProvenUser();
    const { name } = await createEndpoint(owner.token);
    await makeSubscription(owner.id, { plan: "starter" });
    const createSite = () =>
      post("/api/sites", { name: "Kaya", domain: "kaya-life.com" }, { token: owner.token });
    const { json } = await createSite();
    expect((await createSite()).status, "the domain is taken").not.toBe(201);
    expect((await post(`/api/sites/${json.site.id}/suspend`, undefined, { token: owner.token })).status).toBe(
      200,
    );
    expect((await post(`/api/sites/${json.site.id}/suspend`, undefined, { token: owner.token })).status).toBe(
      200,
    );
    const deletion = await call("DELETE", `/api/sites/${json.site.id}`, {
      token: owner.token,
      body: { confirmation: "kaya-life.com" },
    });
    expect(deletion.status).toBe(200);
    await inTransaction(async (tx) => {
      await emitWebhookEvent(tx, {
        type: "user.deleted",
        ownerId: owner.id,
        data: { id: owner.id, mode: "deleted" },
      });
      throw new Error("undone");
    }).catch((error: Error) => expect(error.message).toBe("undone"));
    await runJobs();
    expect(listReceivedTypes(name).sort()).toEqual(["site.created", "site.deleted", "site.suspended"]);
    const suspendedEvent = receivedBodies
      .get(name)!
      .map((body) => JSON.parse(body))
      .find(({ type }) => type === "site.suspended");
    expect(suspendedEvent.data).toEqual({
      id: json.site.id,
      domain: "kaya-life.com",
      user_id: owner.id,
      suspended_reason: "owner",
    });
  });

  it("is not stored without an audience", async () => {
    const owner = await makeProvenUser();
    const eventCountBefore = await prisma().webhookEvent.count();
    const filteredEndpoint = await createEndpoint(owner.token, { events: ["site.deleted"] });
    await emitEvent(owner.id);
    expect(await prisma().webhookEvent.count()).toBe(eventCountBefore);
    await call("PUT", `/api/webhooks/${filteredEndpoint.id}`, { token: owner.token, body: { events: [] } });
    await emitEvent(owner.id);
    expect(await prisma().webhookEvent.count()).toBe(eventCountBefore + 1);
    await runJobs();
  });

  it("is sent to owner and administrators only, when it is `isOwnerOnly`", async () => {
    const admin = await makeProvenUser({ role: "admin" });
    const reseller = await makeProvenUser({ role: "reseller" });
    const owner = await makeProvenUser({ resellerId: reseller.id });
    const endpoints = [];
    for (const { token } of [owner, reseller, admin]) endpoints.push(await createEndpoint(token));
    const data = { id: 1, payment_id: 2, number: "TEL2027000000001" };
    await emitWebhookEvent(withoutTransaction(), {
      type: "invoice.ready",
      ownerId: owner.id,
      isOwnerOnly: true,
      data,
    });
    await runJobs();
    expect(endpoints.map(({ name }) => listReceivedTypes(name).length)).toEqual([1, 0, 1]);
  });

  it("becomes one delivery, even if it is fanned out repeatedly", async () => {
    const owner = await makeProvenUser();
    const { id, name } = await createEndpoint(owner.token);
    await emitEvent(owner.id);
    await Promise.all(Array.from({ length: 5 }, fanOutWebhooksJob));
    await prisma().webhookEvent.updateMany({ data: { fannedAt: null } });
    await fanOutWebhooksJob();
    await runJobs();
    expect([listReceivedTypes(name).length, (await readDeliveries(id, owner.token)).length]).toEqual([1, 1]);
  });

  it("about a deleted account is sent to its reseller; the account's own endpoints are deleted", async () => {
    const reseller = await makeProvenUser({ role: "reseller" });
    const { name } = await createEndpoint(reseller.token);
    const owner = await makeProvenUser({ resellerId: reseller.id });
    const ownEndpoint = await createEndpoint(owner.token);
    const { status } = await post(
      "/api/auth/account/confirm-delete",
      { confirmation: "SİL" },
      { token: owner.token },
    );
    expect(status).toBe(200);
    await runJobs();
    expect(JSON.parse(receivedBodies.get(name)!.at(-1)!)).toMatchObject({
      type: "user.deleted",
      data: { id: owner.id, mode: "deleted" },
    });
    expect(listReceivedTypes(ownEndpoint.name)).toEqual([]);
    expect(await prisma().webhookEndpoint.count({ where: { id: ownEndpoint.id } })).toBe(0);
  });
});

describe("a delivery", () => {
  it("is retried until it succeeds, with the same id", async () => {
    const { token, id: userId } = await makeProvenUser();
    const { id, name } = await createEndpoint(token);
    makeReceiverFail(name, 500, 9);
    await emitEvent(userId);
    await runJobs();
    const [delivery] = await readDeliveries(id, token);
    expect(delivery.state).toBe("delivered");
    expect(delivery.attempts.map(({ status_code }: { status_code: number }) => status_code)).toEqual([
      204,
      ...Array(9).fill(500),
    ]);
    expect(services.calls.filter((line) => line.endsWith(`/${name}`))).toHaveLength(10);
    expect(services.stores.webhook.entries.get(`last:${name}`)).toMatchObject({ id: delivery.webhook_id });
    expect((await get(`/api/webhooks/${id}`, token)).json.webhook).toMatchObject({
      failures: 0,
      failing_since: null,
      last_ok_at: expect.any(String),
    });
  });

  it("fails after the eleventh attempt, and can then be replayed", async () => {
    const { token, id: userId } = await makeProvenUser();
    const { id, name } = await createEndpoint(token);
    makeReceiverFail(name, 503, 11);
    await emitEvent(userId);
    await runJobs();
    const [failedDelivery] = await readDeliveries(id, token);
    expect(failedDelivery).toMatchObject({
      state: "failed",
      attempts: { length: 11 },
      next_attempt_at: null,
    });
    const endpointNow = (await get(`/api/webhooks/${id}`, token)).json.webhook;
    expect(endpointNow).toMatchObject({ is_active: true, failures: 11 });
    const replayResponse = await post(`/api/webhook-deliveries/${failedDelivery.id}/replay`, undefined, {
      token,
    });
    expect(replayResponse).toMatchObject({ status: 200, json: { delivery: { state: "waiting" } } });
    await runJobs();
    const [replayedDelivery] = await readDeliveries(id, token);
    expect({
      state: replayedDelivery.state,
      length: replayedDelivery.attempts.length,
      webhook_id: replayedDelivery.webhook_id,
    }).toEqual({
      state: "delivered",
      length: 12,
      webhook_id: failedDelivery.webhook_id,
    });
    await post(`/api/webhook-deliveries/${failedDelivery.id}/replay`, undefined, { token });
    await runJobs();
    expect(listReceivedTypes(name), "eleven times, and once for each replay").toHaveLength(13);
    const bulkReplay = await post(
      `/api/webhooks/${id}/replay-failed`,
      { since: "2020-01-01T00:00:00Z" },
      { token },
    );
    expect(bulkReplay).toMatchObject({ status: 200, json: { count: 0 } });
    const stranger = await makeProvenUser();
    const strangerReplay = await post(`/api/webhook-deliveries/${failedDelivery.id}/replay`, undefined, {
      token: stranger.token,
    });
    expect(strangerReplay.status).toBe(403);
  });

  it("is listed by state and type, page by page", async () => {
    const { token, id: userId } = await makeProvenUser();
    const { id, name } = await createEndpoint(token);
    for (let count = 0; count < 3; count++) await emitEvent(userId);
    makeReceiverFail(name, 500, 11);
    await runJobs();
    const listStates = async (query: string) =>
      (await get(`/api/webhooks/${id}/deliveries?${query}`, token)).json.deliveries.map(
        ({ state }: { state: string }) => state,
      );
    expect((await listStates("")).sort()).toEqual(["delivered", "delivered", "delivered"]);
    expect(await listStates("state=failed")).toEqual([]);
    expect(await listStates("type=connection.token_dead&per_page=2")).toHaveLength(2);
    expect(await listStates("type=site.created")).toEqual([]);
  });

  it("is cancelled when the endpoint responds 410, and the owner is notified once", async () => {
    const { token, id: userId, email } = await makeProvenUser({ locale: "en" });
    const { id, name } = await createEndpoint(token);
    makeReceiverFail(name, 410, 1);
    await emitEvent(userId);
    await runJobs();
    expect((await get(`/api/webhooks/${id}`, token)).json.webhook).toMatchObject({
      is_active: false,
      disabled_reason: "gone",
    });
    expect((await readDeliveries(id, token))[0]).toMatchObject({ state: "cancelled", next_attempt_at: null });
    const mails = await deliverAndReadMails(server, email, "webhook_disabled");
    expect(mails).toHaveLength(1);
    expect(mails[0]!.text).toContain("410");
    expect(mails[0]!.text).toContain("/developers/webhooks");
    const refusal = await post(
      `/api/webhooks/${id}/replay-failed`,
      { since: "2020-01-01T00:00:00Z" },
      { token },
    );
    expect(refusal.status).toBe(422);
    await emitEvent(userId);
    await runJobs();
    expect(await readDeliveries(id, token), "a disabled webhook gets no events").toHaveLength(1);
    await call("PUT", `/api/webhooks/${id}`, { token, body: { is_active: true } });
    const bulkReplay = await post(
      `/api/webhooks/${id}/replay-failed`,
      { since: "2020-01-01T00:00:00Z" },
      { token },
    );
    expect(bulkReplay.json.count).toBe(1);
    await runJobs();
    expect(listReceivedTypes(name)).toHaveLength(2);
  });

  it("waits for the receiver's Retry-After, as do all deliveries to that endpoint", async () => {
    const { token, id: userId } = await makeProvenUser();
    const { id, name } = await createEndpoint(token);
    makeReceiverFail(name, 429, 1, { "retry-after": "3600" });
    await emitEvent(userId);
    await runJobs();
    const [waitingDelivery] = await readDeliveries(id, token);
    expect(waitingDelivery).toMatchObject({ state: "waiting", attempts: { length: 1 } });
    expect(Date.parse(waitingDelivery.next_attempt_at)).toBeGreaterThan(Date.now() + 3_000_000);
    await emitEvent(userId);
    await runJobs();
    expect(listReceivedTypes(name), "another event waits, too").toHaveLength(1);
    await prisma().webhookEndpoint.update({ where: { id }, data: { pausedUntil: null } });
    await prisma().webhookDelivery.updateMany({ where: { endpointId: id }, data: { nextAt: new Date() } });
    await dispatchDeliveries();
    expect(listReceivedTypes(name)).toHaveLength(3);
  });

  it("does not delay other receivers while its receiver hangs", async () => {
    const [slowOwner, quickOwner] = [await makeProvenUser(), await makeProvenUser()];
    const [hangingEndpoint, otherEndpoint] = [
      await createEndpoint(slowOwner.token),
      await createEndpoint(quickOwner.token),
    ];
    const blockedRequests = Array.from({ length: 40 }, () => blockNextRequest(hangingEndpoint.name));
    for (let count = 0; count < 6; count++) await emitEvent(slowOwner.id);
    const pendingJobs = runJobs();
    try {
      await blockedRequests[0]!.arrived;
      for (let count = 0; count < 3; count++) await emitEvent(quickOwner.id);
      await fanOutWebhooksJob();
      await expect.poll(() => listReceivedTypes(otherEndpoint.name).length, { timeout: 30_000 }).toBe(3);
      expect(listReceivedTypes(hangingEndpoint.name), "the hanging delivery has not arrived").toEqual([]);
    } finally {
      for (const { release } of blockedRequests) release();
      await pendingJobs;
    }
    await runJobs();
    expect(listReceivedTypes(hangingEndpoint.name).length).toBeGreaterThanOrEqual(6);
  });

  it("is sent again with the same id after a crash", async () => {
    const { token, id: userId } = await makeProvenUser();
    const { id, name } = await createEndpoint(token);
    await emitEvent(userId);
    const event = await prisma().webhookEvent.findFirstOrThrow({ where: { audience: { has: userId } } });
    await fanOutWebhooksJob();
    // Simulates a process that was killed after the response.
    const [claimedDelivery] = await claimDueDeliveries(withoutTransaction(), { limit: 50 });
    expect(claimedDelivery!.eventId).toBe(event.id);
    expect((await sendAttempt(claimedDelivery!, TIMEOUTS_MS.delivery)).failure).toBeNull();
    await dispatchDeliveries();
    expect(listReceivedTypes(name), "its claim has not expired").toHaveLength(1);
    await prisma().webhookDelivery.updateMany({
      where: { endpointId: id },
      data: { claimedUntil: new Date() },
    });
    await dispatchDeliveries();
    expect(listReceivedTypes(name)).toHaveLength(2);
    expect(new Set(receivedBodies.get(name)).size, "byte for byte").toBe(1);
    const [delivery] = await readDeliveries(id, token);
    expect(delivery).toMatchObject({ state: "delivered", attempts: { length: 1 } });
  });

  it("is sent once by two concurrent dispatchers", async () => {
    const owner = await makeProvenUser();
    const endpoints = [
      await createEndpoint(owner.token),
      await createEndpoint(owner.token),
      await createEndpoint(owner.token),
    ];
    for (let count = 0; count < 10; count++) await emitEvent(owner.id, `Bot ${count}`);
    await fanOutWebhooksJob();
    await Promise.all([dispatchDeliveries(), dispatchDeliveries(), dispatchDeliveries()]);
    for (const { name } of endpoints) {
      expect(receivedBodies.get(name)).toHaveLength(10);
      expect(new Set(receivedBodies.get(name)).size).toBe(10);
    }
    await runJobs();
  });

  it.each(["deleted", "switched off"])(
    "records only the attempt in progress when its endpoint is %s",
    async (change) => {
      const { token, id: userId } = await makeProvenUser();
      const { id, name } = await createEndpoint(token);
      const blockedRequest = blockNextRequest(name);
      await emitEvent(userId);
      await emitEvent(userId);
      const pendingJobs = runJobs();
      try {
        await blockedRequest.arrived;
        const response =
          change === "deleted"
            ? await call("DELETE", `/api/webhooks/${id}`, { token })
            : await call("PUT", `/api/webhooks/${id}`, { token, body: { is_active: false } });
        expect(response.status).toBe(200);
      } finally {
        blockedRequest.release();
        await pendingJobs;
      }
      if (change === "deleted") return expect((await get("/api/webhooks", token)).json.count).toBe(0);
      const states = (await readDeliveries(id, token)).map(({ state }: { state: string }) => state);
      expect(states).toContain("delivered");
      expect(states).not.toContain("waiting");
    },
  );

  it("has both signatures when the secret is renewed while it waits", async () => {
    const { token, id: userId } = await makeProvenUser();
    const { id, name, secret } = await createEndpoint(token);
    await emitEvent(userId);
    expect((await post(`/api/webhooks/${id}/secret`, {}, { token })).status).toBe(200);
    await runJobs();
    const lastRequest = services.stores.webhook.entries.get(`last:${name}`) as Record<string, string>;
    expect(lastRequest.signature!.split(" ")).toHaveLength(2);
    const headers = {
      "webhook-id": lastRequest.id!,
      "webhook-timestamp": lastRequest.timestamp!,
      "webhook-signature": lastRequest.signature!,
    };
    new Webhook(secret).verify(lastRequest.body!, headers);
  });
});

describe("days of failures", () => {
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);

  it("notify the owner after one day, and switch the endpoint off after three", async () => {
    const { token, id: userId, email } = await makeProvenUser({ locale: "en" });
    const { id, name } = await createEndpoint(token);
    const failAllAttempts = async () => {
      makeReceiverFail(name, 500, 11);
      await emitEvent(userId);
      await runJobs();
      services.faults.length = 0;
    };
    await prisma().webhookEndpoint.update({
      where: { id },
      data: { failures: 3, failingSince: hoursAgo(25) },
    });
    await failAllAttempts();
    await failAllAttempts();
    expect(await deliverAndReadMails(server, email, "webhook_failing"), "once").toHaveLength(1);
    expect((await get(`/api/webhooks/${id}`, token)).json.webhook.is_active).toBe(true);

    await prisma().webhookEndpoint.update({
      where: { id },
      data: { failures: 5, failingSince: hoursAgo(73) },
    });
    makeReceiverFail(name, 500, 11);
    await emitEvent(userId);
    await runJobs();
    const failingEndpoint = (await get(`/api/webhooks/${id}`, token)).json.webhook;
    expect(failingEndpoint, "too few failures").toMatchObject({ is_active: true, failures: 16 });
    await failAllAttempts();
    expect((await get(`/api/webhooks/${id}`, token)).json.webhook).toMatchObject({
      is_active: false,
      disabled_reason: "failing",
    });
    const mails = await deliverAndReadMails(server, email, "webhook_disabled");
    expect(mails).toHaveLength(1);
    expect(mails[0]!.text).toContain("three days");
  });

  it("are reset by one success", async () => {
    const { token, id: userId } = await makeProvenUser();
    const { id } = await createEndpoint(token);
    await prisma().webhookEndpoint.update({
      where: { id },
      data: { failures: 90, failingSince: hoursAgo(80) },
    });
    await emitEvent(userId);
    await runJobs();
    expect((await get(`/api/webhooks/${id}`, token)).json.webhook).toMatchObject({
      is_active: true,
      failures: 0,
    });
  });
});

it("deletes events after the retention setting, thirty days by default", async () => {
  const adminToken = await makeToken((await makeUser({ role: "admin" })).id, { provenAt: new Date() });
  const putRetention = (webhook_retention_days: number) =>
    call("PUT", "/api/admin/settings", { token: adminToken, body: { webhook_retention_days } });
  const { token, id: userId } = await makeProvenUser();
  const { id } = await createEndpoint(token);
  for (let event = 0; event < 3; event++) await emitEvent(userId);
  await runJobs();
  const [newest, middle, oldest] = await readDeliveries(id, token);
  const setAge = (eventId: string, days: number) =>
    prisma().webhookEvent.update({
      where: { id: eventId },
      data: { createdAt: new Date(Date.now() - days * 86_400_000) },
    });
  await setAge(oldest.webhook_id, 31);
  await setAge(middle.webhook_id, 29);
  const readKeptDays = async () => (await get(`/api/webhooks/${id}/deliveries`, token)).json.kept_days;
  const runRetentionAndListIds = async () => {
    await deleteOldWebhookEventsJob();
    return (await readDeliveries(id, token)).map((delivery: { id: number }) => delivery.id);
  };
  expect((await putRetention(90)).status).toBe(200);
  expect([await readKeptDays(), await runRetentionAndListIds()]).toEqual([
    90,
    [newest.id, middle.id, oldest.id],
  ]);
  await prisma().setting.delete({ where: { key: "webhook_retention_days" } });
  expect(await runRetentionAndListIds()).toEqual([newest.id, middle.id]);
  expect((await putRetention(7)).status).toBe(200);
  expect([await readKeptDays(), await runRetentionAndListIds()]).toEqual([7, [newest.id]]);
  for (const days of [6, 91, 7.5]) expect((await putRetention(days)).status, String(days)).toBe(422);
});
