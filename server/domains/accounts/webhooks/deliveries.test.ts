import { Webhook } from "standardwebhooks";
import { beforeEach, describe, expect, it } from "vitest";
import { prisma } from "@/server/infrastructure/database/client";
import { inTransaction, withoutTransaction } from "@/server/infrastructure/database/transaction";
import { sandboxResponse } from "@/server/sandbox/kit";
import {
  makeProvenUser,
  makeReseller,
  makeSubscription,
  makeToken,
  makeUser,
} from "@/server/testing/factories";
import { resetLimits } from "@/server/testing/limits";
import { mailsTo } from "@/server/testing/mailbox";
import { fakeServices } from "@/server/testing/sandboxes";
import { testServer } from "@/server/testing/server";
import { deleteOldWebhookEventsJob, fanOutWebhooksJob } from "./jobs";
import { dispatchDeliveries } from "./service/dispatcher";
import { emit } from "./service/events";
import { send, TIMEOUTS } from "./service/send";
import { claimDueDeliveries } from "./statements";

const peer = await fakeServices();
const server = await testServer({
  env: { ...peer.env, WEBHOOK_RETRY_SECONDS: "0,0,0,0,0,0,0,0,0,0", RATE_LIMITS: "relaxed" },
});
const { call, get, post, work } = server;
/** Bodies by receiver in the order of arrival, including refused ones. */
const received = new Map<string, string[]>();
peer.onCall = (line, body) => {
  const name = line.slice(line.lastIndexOf("/") + 1);
  received.set(name, [...(received.get(name) ?? []), body]);
};
beforeEach(async () => {
  await resetLimits();
  peer.faults.length = 0;
  peer.calls.length = 0;
  received.clear();
  // Endpoints of earlier administrators would receive all events.
  await prisma().webhookEndpoint.deleteMany();
  await prisma().webhookEvent.deleteMany();
});

let names = 0;
async function endpoint(token: string, body: object = {}) {
  const name = `desk${++names}`;
  const response = await post("/api/webhooks", { url: `${peer.url}/webhook/${name}`, ...body }, { token });
  expect(response.status).toBe(201);
  return { id: response.json.webhook.id as number, secret: response.json.secret as string, name };
}
const typesAt = (name: string) => (received.get(name) ?? []).map((body) => JSON.parse(body).type);
const emitEvent = (ownerId: number, label = "Bot") =>
  emit(withoutTransaction(), {
    type: "connection.token_dead",
    ownerId,
    data: { id: 1, channel: "telegram", label, site_ids: [] },
  });
async function deliveriesOf(id: number, token: string) {
  const { status, json } = await get(`/api/webhooks/${id}/deliveries`, token);
  expect(status).toBe(200);
  return json.deliveries;
}
const fails = (name: string, status: number, times: number, headers?: Record<string, string>) =>
  peer.faults.push({
    match: new RegExp(`/${name}$`),
    times,
    response: { ...sandboxResponse(status, {}), headers },
  });
function block(name: string) {
  let release = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  let arrive = () => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  peer.faults.push({
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
    const passive = await makeProvenUser({ role: "admin" });
    const ends = [];
    for (const { token } of [owner, parent, reseller, admin, await makeProvenUser(), passive])
      ends.push(await endpoint(token));
    const picky = await endpoint(owner.token, { events: ["site.deleted"] });
    await prisma().user.update({ where: { id: passive.id }, data: { isActive: false } });
    const response = await post(
      "/api/sites",
      { name: "Kaya", domain: "kaya-events.com" },
      { token: owner.token },
    );
    expect(response.status).toBe(201);
    await work();
    expect([...ends, picky].map(({ name }) => typesAt(name).length)).toEqual([1, 1, 1, 1, 0, 0, 0]);
    const { id, domain, user_id, created_at } = response.json.site;
    expect(JSON.parse(received.get(ends[0]!.name)![0]!)).toEqual({
      type: "site.created",
      timestamp: created_at,
      data: { id, domain, user_id, created_at },
    });
    for (const { name, secret } of ends.slice(0, 4)) {
      const last = peer.stores.webhook.all.get(`last:${name}`) as Record<string, string>;
      const headers = {
        "webhook-id": last.id!,
        "webhook-timestamp": last.timestamp!,
        "webhook-signature": last.signature!,
      };
      new Webhook(secret).verify(last.body!, headers);
      expect(last.id).toMatch(/^msg_[0-9A-Z]{26}$/);
    }
    const [delivery] = await deliveriesOf(ends[0]!.id, owner.token);
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
    const { name } = await endpoint(owner.token);
    await makeSubscription(owner.id, { plan: "starter" });
    const create = () =>
      post("/api/sites", { name: "Kaya", domain: "kaya-life.com" }, { token: owner.token });
    const { json } = await create();
    expect((await create()).status, "the domain is taken").not.toBe(201);
    expect((await post(`/api/sites/${json.site.id}/suspend`, undefined, { token: owner.token })).status).toBe(
      200,
    );
    expect((await post(`/api/sites/${json.site.id}/suspend`, undefined, { token: owner.token })).status).toBe(
      200,
    );
    const gone = await call("DELETE", `/api/sites/${json.site.id}`, {
      token: owner.token,
      body: { confirmation: "kaya-life.com" },
    });
    expect(gone.status).toBe(200);
    await inTransaction(async (tx) => {
      await emit(tx, { type: "user.deleted", ownerId: owner.id, data: { id: owner.id, mode: "deleted" } });
      throw new Error("undone");
    }).catch((error: Error) => expect(error.message).toBe("undone"));
    await work();
    expect(typesAt(name).sort()).toEqual(["site.created", "site.deleted", "site.suspended"]);
    const suspended = received
      .get(name)!
      .map((body) => JSON.parse(body))
      .find(({ type }) => type === "site.suspended");
    expect(suspended.data).toEqual({
      id: json.site.id,
      domain: "kaya-life.com",
      user_id: owner.id,
      suspended_reason: "owner",
    });
  });

  it("is not stored without an audience", async () => {
    const owner = await makeProvenUser();
    const before = await prisma().webhookEvent.count();
    const only = await endpoint(owner.token, { events: ["site.deleted"] });
    await emitEvent(owner.id);
    expect(await prisma().webhookEvent.count()).toBe(before);
    await call("PUT", `/api/webhooks/${only.id}`, { token: owner.token, body: { events: [] } });
    await emitEvent(owner.id);
    expect(await prisma().webhookEvent.count()).toBe(before + 1);
    await work();
  });

  it("is not sent to parent and resellers when it is `own`", async () => {
    const admin = await makeProvenUser({ role: "admin" });
    const reseller = await makeProvenUser({ role: "reseller" });
    const owner = await makeProvenUser({ resellerId: reseller.id });
    const ends = [];
    for (const { token } of [owner, reseller, admin]) ends.push(await endpoint(token));
    const data = { id: 1, payment_id: 2, number: "TEL2027000000001" };
    await emit(withoutTransaction(), { type: "invoice.ready", ownerId: owner.id, own: true, data });
    await work();
    expect(ends.map(({ name }) => typesAt(name).length)).toEqual([1, 0, 1]);
  });

  it("becomes one delivery, even if it is fanned out repeatedly", async () => {
    const owner = await makeProvenUser();
    const { id, name } = await endpoint(owner.token);
    await emitEvent(owner.id);
    await Promise.all(Array.from({ length: 5 }, fanOutWebhooksJob));
    await prisma().webhookEvent.updateMany({ data: { fannedAt: null } });
    await fanOutWebhooksJob();
    await work();
    expect([typesAt(name).length, (await deliveriesOf(id, owner.token)).length]).toEqual([1, 1]);
  });

  it("about a deleted account is sent to its reseller; the account's own endpoints are deleted", async () => {
    const reseller = await makeProvenUser({ role: "reseller" });
    const { name } = await endpoint(reseller.token);
    const owner = await makeProvenUser({ resellerId: reseller.id });
    const own = await endpoint(owner.token);
    const { status } = await post(
      "/api/auth/account/confirm-delete",
      { confirmation: "SİL" },
      { token: owner.token },
    );
    expect(status).toBe(200);
    await work();
    expect(JSON.parse(received.get(name)!.at(-1)!)).toMatchObject({
      type: "user.deleted",
      data: { id: owner.id, mode: "deleted" },
    });
    expect(typesAt(own.name)).toEqual([]);
    expect(await prisma().webhookEndpoint.count({ where: { id: own.id } })).toBe(0);
  });
});

describe("a delivery", () => {
  it("is retried until it succeeds, with the same id", async () => {
    const { token, id: userId } = await makeProvenUser();
    const { id, name } = await endpoint(token);
    fails(name, 500, 9);
    await emitEvent(userId);
    await work();
    const [delivery] = await deliveriesOf(id, token);
    expect(delivery.state).toBe("delivered");
    expect(delivery.attempts.map(({ status_code }: { status_code: number }) => status_code)).toEqual([
      204,
      ...Array(9).fill(500),
    ]);
    expect(peer.calls.filter((line) => line.endsWith(`/${name}`))).toHaveLength(10);
    expect(peer.stores.webhook.all.get(`last:${name}`)).toMatchObject({ id: delivery.webhook_id });
    expect((await get(`/api/webhooks/${id}`, token)).json.webhook).toMatchObject({
      failures: 0,
      failing_since: null,
      last_ok_at: expect.any(String),
    });
  });

  it("fails after the eleventh attempt, and can be replayed alone or with others", async () => {
    const { token, id: userId } = await makeProvenUser();
    const { id, name } = await endpoint(token);
    fails(name, 503, 11);
    await emitEvent(userId);
    await work();
    const [failed] = await deliveriesOf(id, token);
    expect(failed).toMatchObject({ state: "failed", attempts: { length: 11 }, next_attempt_at: null });
    const endpointNow = (await get(`/api/webhooks/${id}`, token)).json.webhook;
    expect(endpointNow).toMatchObject({ is_active: true, failures: 11 });
    const replayed = await post(`/api/webhook-deliveries/${failed.id}/replay`, undefined, { token });
    expect(replayed).toMatchObject({ status: 200, json: { delivery: { state: "waiting" } } });
    await work();
    const [delivered] = await deliveriesOf(id, token);
    expect({
      state: delivered.state,
      length: delivered.attempts.length,
      webhook_id: delivered.webhook_id,
    }).toEqual({
      state: "delivered",
      length: 12,
      webhook_id: failed.webhook_id,
    });
    await post(`/api/webhook-deliveries/${failed.id}/replay`, undefined, { token });
    await work();
    expect(typesAt(name), "eleven times, and once for each replay").toHaveLength(13);
    const all = await post(`/api/webhooks/${id}/replay-failed`, { since: "2020-01-01T00:00:00Z" }, { token });
    expect(all).toMatchObject({ status: 200, json: { count: 0 } });
    const stranger = await makeProvenUser();
    const foreign = await post(`/api/webhook-deliveries/${failed.id}/replay`, undefined, {
      token: stranger.token,
    });
    expect(foreign.status).toBe(403);
  });

  it("is listed by state and type, page by page", async () => {
    const { token, id: userId } = await makeProvenUser();
    const { id, name } = await endpoint(token);
    for (let count = 0; count < 3; count++) await emitEvent(userId);
    fails(name, 500, 11);
    await work();
    const states = async (query: string) =>
      (await get(`/api/webhooks/${id}/deliveries?${query}`, token)).json.deliveries.map(
        ({ state }: { state: string }) => state,
      );
    expect((await states("")).sort()).toEqual(["delivered", "delivered", "delivered"]);
    expect(await states("state=failed")).toEqual([]);
    expect(await states("type=connection.token_dead&per_page=2")).toHaveLength(2);
    expect(await states("type=site.created")).toEqual([]);
  });

  it("is cancelled when the endpoint responds 410, and the owner is notified once", async () => {
    const { token, id: userId, email } = await makeProvenUser({ locale: "en" });
    const { id, name } = await endpoint(token);
    fails(name, 410, 1);
    await emitEvent(userId);
    await work();
    expect((await get(`/api/webhooks/${id}`, token)).json.webhook).toMatchObject({
      is_active: false,
      disabled_reason: "gone",
    });
    expect((await deliveriesOf(id, token))[0]).toMatchObject({ state: "cancelled", next_attempt_at: null });
    const mails = await mailsTo(server, email, "webhook_disabled");
    expect(mails).toHaveLength(1);
    expect(mails[0]!.text).toContain("410");
    expect(mails[0]!.text).toContain("/developers/webhooks");
    const refused = await post(
      `/api/webhooks/${id}/replay-failed`,
      { since: "2020-01-01T00:00:00Z" },
      { token },
    );
    expect(refused.status).toBe(422);
    await emitEvent(userId);
    await work();
    expect(await deliveriesOf(id, token), "a webhook that is off hears nothing").toHaveLength(1);
    await call("PUT", `/api/webhooks/${id}`, { token, body: { is_active: true } });
    const all = await post(`/api/webhooks/${id}/replay-failed`, { since: "2020-01-01T00:00:00Z" }, { token });
    expect(all.json.count).toBe(1);
    await work();
    expect(typesAt(name)).toHaveLength(2);
  });

  it("waits for the receiver's Retry-After, with all deliveries to that endpoint", async () => {
    const { token, id: userId } = await makeProvenUser();
    const { id, name } = await endpoint(token);
    fails(name, 429, 1, { "retry-after": "3600" });
    await emitEvent(userId);
    await work();
    const [waiting] = await deliveriesOf(id, token);
    expect(waiting).toMatchObject({ state: "waiting", attempts: { length: 1 } });
    expect(Date.parse(waiting.next_attempt_at)).toBeGreaterThan(Date.now() + 3_000_000);
    await emitEvent(userId);
    await work();
    expect(typesAt(name), "another event has to wait, too").toHaveLength(1);
    await prisma().webhookEndpoint.update({ where: { id }, data: { pausedUntil: null } });
    await prisma().webhookDelivery.updateMany({ where: { endpointId: id }, data: { nextAt: new Date() } });
    await dispatchDeliveries();
    expect(typesAt(name)).toHaveLength(3);
  });

  it("does not delay other receivers while its receiver hangs", async () => {
    const [slow, quick] = [await makeProvenUser(), await makeProvenUser()];
    const [hanging, other] = [await endpoint(slow.token), await endpoint(quick.token)];
    const gates = Array.from({ length: 40 }, () => block(hanging.name));
    for (let count = 0; count < 6; count++) await emitEvent(slow.id);
    const working = work();
    try {
      await gates[0]!.arrived;
      for (let count = 0; count < 3; count++) await emitEvent(quick.id);
      await fanOutWebhooksJob();
      await expect.poll(() => typesAt(other.name).length, { timeout: 30_000 }).toBe(3);
      expect(typesAt(hanging.name), "what hangs has not arrived").toEqual([]);
    } finally {
      for (const { release } of gates) release();
      await working;
    }
    await work();
    expect(typesAt(hanging.name).length).toBeGreaterThanOrEqual(6);
  });

  it("is sent again with the same id after a crash", async () => {
    const { token, id: userId } = await makeProvenUser();
    const { id, name } = await endpoint(token);
    await emitEvent(userId);
    const event = await prisma().webhookEvent.findFirstOrThrow({ where: { audience: { has: userId } } });
    await fanOutWebhooksJob();
    // A process that was killed after the response.
    const [claimed] = await claimDueDeliveries(withoutTransaction(), { limit: 50 });
    expect(claimed!.eventId).toBe(event.id);
    expect((await send(claimed!, TIMEOUTS.delivery)).failure).toBeNull();
    await dispatchDeliveries();
    expect(typesAt(name), "its claim has not ended").toHaveLength(1);
    await prisma().webhookDelivery.updateMany({
      where: { endpointId: id },
      data: { claimedUntil: new Date() },
    });
    await dispatchDeliveries();
    expect(typesAt(name)).toHaveLength(2);
    expect(new Set(received.get(name)).size, "byte for byte").toBe(1);
    const [delivery] = await deliveriesOf(id, token);
    expect(delivery).toMatchObject({ state: "delivered", attempts: { length: 1 } });
  });

  it("is sent once by two concurrent dispatchers", async () => {
    const owner = await makeProvenUser();
    const ends = [await endpoint(owner.token), await endpoint(owner.token), await endpoint(owner.token)];
    for (let count = 0; count < 10; count++) await emitEvent(owner.id, `Bot ${count}`);
    await fanOutWebhooksJob();
    await Promise.all([dispatchDeliveries(), dispatchDeliveries(), dispatchDeliveries()]);
    for (const { name } of ends) {
      expect(received.get(name)).toHaveLength(10);
      expect(new Set(received.get(name)).size).toBe(10);
    }
    await work();
  });

  it.each(["deleted", "switched off"])(
    "records only the attempt in progress when its endpoint is %s",
    async (how) => {
      const { token, id: userId } = await makeProvenUser();
      const { id, name } = await endpoint(token);
      const gate = block(name);
      await emitEvent(userId);
      await emitEvent(userId);
      const working = work();
      try {
        await gate.arrived;
        const settled =
          how === "deleted"
            ? await call("DELETE", `/api/webhooks/${id}`, { token })
            : await call("PUT", `/api/webhooks/${id}`, { token, body: { is_active: false } });
        expect(settled.status).toBe(200);
      } finally {
        gate.release();
        await working;
      }
      if (how === "deleted") return expect((await get("/api/webhooks", token)).json.count).toBe(0);
      const states = (await deliveriesOf(id, token)).map(({ state }: { state: string }) => state);
      expect(states).toContain("delivered");
      expect(states).not.toContain("waiting");
    },
  );

  it("carries both signatures when the secret is renewed while it waits", async () => {
    const { token, id: userId } = await makeProvenUser();
    const { id, name, secret } = await endpoint(token);
    await emitEvent(userId);
    expect((await post(`/api/webhooks/${id}/secret`, {}, { token })).status).toBe(200);
    await work();
    const last = peer.stores.webhook.all.get(`last:${name}`) as Record<string, string>;
    expect(last.signature!.split(" ")).toHaveLength(2);
    const headers = {
      "webhook-id": last.id!,
      "webhook-timestamp": last.timestamp!,
      "webhook-signature": last.signature!,
    };
    new Webhook(secret).verify(last.body!, headers);
  });
});

describe("days of failures", () => {
  const since = (hours: number) => new Date(Date.now() - hours * 3_600_000);

  it("notify the owner after one day, and switch the endpoint off after three", async () => {
    const { token, id: userId, email } = await makeProvenUser({ locale: "en" });
    const { id, name } = await endpoint(token);
    const fail = async () => {
      fails(name, 500, 11);
      await emitEvent(userId);
      await work();
      peer.faults.length = 0;
    };
    await prisma().webhookEndpoint.update({ where: { id }, data: { failures: 3, failingSince: since(25) } });
    await fail();
    await fail();
    expect(await mailsTo(server, email, "webhook_failing"), "once").toHaveLength(1);
    expect((await get(`/api/webhooks/${id}`, token)).json.webhook.is_active).toBe(true);

    await prisma().webhookEndpoint.update({ where: { id }, data: { failures: 5, failingSince: since(73) } });
    fails(name, 500, 11);
    await emitEvent(userId);
    await work();
    const few = (await get(`/api/webhooks/${id}`, token)).json.webhook;
    expect(few, "too few to judge").toMatchObject({ is_active: true, failures: 16 });
    await fail();
    expect((await get(`/api/webhooks/${id}`, token)).json.webhook).toMatchObject({
      is_active: false,
      disabled_reason: "failing",
    });
    const mails = await mailsTo(server, email, "webhook_disabled");
    expect(mails).toHaveLength(1);
    expect(mails[0]!.text).toContain("three days");
  });

  it("are reset by one success", async () => {
    const { token, id: userId } = await makeProvenUser();
    const { id } = await endpoint(token);
    await prisma().webhookEndpoint.update({ where: { id }, data: { failures: 90, failingSince: since(80) } });
    await emitEvent(userId);
    await work();
    expect((await get(`/api/webhooks/${id}`, token)).json.webhook).toMatchObject({
      is_active: true,
      failures: 0,
    });
  });
});

it("deletes events after the retention setting, thirty days by default", async () => {
  const boss = await makeToken((await makeUser({ role: "admin" })).id, { provenAt: new Date() });
  const put = (webhook_retention_days: number) =>
    call("PUT", "/api/admin/settings", { token: boss, body: { webhook_retention_days } });
  const { token, id: userId } = await makeProvenUser();
  const { id } = await endpoint(token);
  for (let event = 0; event < 3; event++) await emitEvent(userId);
  await work();
  const [newest, middle, oldest] = await deliveriesOf(id, token);
  const age = (webhookId: string, days: number) =>
    prisma().webhookEvent.update({
      where: { id: webhookId },
      data: { createdAt: new Date(Date.now() - days * 86_400_000) },
    });
  await age(oldest.webhook_id, 31);
  await age(middle.webhook_id, 29);
  const keptDays = async () => (await get(`/api/webhooks/${id}/deliveries`, token)).json.kept_days;
  const remaining = async () => {
    await deleteOldWebhookEventsJob();
    return (await deliveriesOf(id, token)).map((delivery: { id: number }) => delivery.id);
  };
  expect((await put(90)).status).toBe(200);
  expect([await keptDays(), await remaining()]).toEqual([90, [newest.id, middle.id, oldest.id]]);
  await prisma().setting.delete({ where: { key: "webhook_retention_days" } });
  expect(await remaining()).toEqual([newest.id, middle.id]);
  expect((await put(7)).status).toBe(200);
  expect([await keptDays(), await remaining()]).toEqual([7, [newest.id]]);
  for (const days of [6, 91, 7.5]) expect((await put(days)).status, String(days)).toBe(422);
});
