import { beforeEach, describe, expect, it } from "vitest";
import { prisma } from "@/server/infrastructure/database/client";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { sandboxResponse } from "@/server/sandbox/kit";
import { makeProvenUser } from "@/server/testing/factories";
import { resetLimits } from "@/server/testing/limits";
import { mailsTo } from "@/server/testing/mailbox";
import { fakeServices } from "@/server/testing/sandboxes";
import { testServer } from "@/server/testing/server";
import { emit } from "./service/events";

const peer = await fakeServices();
const server = await testServer({ env: { ...peer.env, RATE_LIMITS: "relaxed" } });
const { call, get, post, work } = server;
const received: string[] = [];
peer.onCall = (line) => void received.push(line.slice(line.lastIndexOf("/") + 1));
beforeEach(async () => {
  // Run jobs that an earlier test queued.
  await work();
  await resetLimits();
  peer.faults.length = 0;
  received.length = 0;
});

let names = 0;
async function endpoint() {
  const { id: userId, email, token } = await makeProvenUser({ locale: "en" });
  const name = `old${++names}`;
  const made = await post("/api/webhooks", { url: `${peer.url}/webhook/${name}` }, { token });
  expect(made.status).toBe(201);
  const id: number = made.json.webhook.id;
  const put = async (body: object) => {
    const { status, json } = await call("PUT", `/api/webhooks/${id}`, { token, body });
    expect(status).toBe(200);
    return json.webhook;
  };
  const happen = () =>
    emit(withoutTransaction(), {
      type: "connection.token_dead",
      ownerId: userId,
      data: { id: 1, channel: "telegram", label: "Bot", site_ids: [] },
    });
  const deliveries = async () => (await get(`/api/webhooks/${id}/deliveries`, token)).json.deliveries;
  const row = () => prisma().webhookEndpoint.findUniqueOrThrow({ where: { id } });
  const moved = { url: `${peer.url}/webhook/new${names}` };
  return { id, userId, email, token, name, next: `new${names}`, moved, put, happen, deliveries, row };
}
/** Endpoint that is paused for an hour, with failures of which its owner was notified. */
async function pausedEndpoint() {
  const made = await endpoint();
  const { id, name, happen, row, deliveries } = made;
  refuseOnce(name, 429, { "retry-after": "3600" });
  await happen();
  await work();
  expect((await row()).pausedUntil!.getTime()).toBeGreaterThan(Date.now() + 3_000_000);
  const since = new Date(Date.now() - 30 * 3_600_000);
  await prisma().webhookEndpoint.update({
    where: { id },
    data: { failures: 12, failingSince: since, toldAt: new Date() },
  });
  const [{ id: delivery }] = await deliveries();
  return { ...made, delivery: delivery as number, since };
}
const refuseOnce = (name: string, status: number, headers?: Record<string, string>) =>
  peer.faults.push({
    match: new RegExp(`/${name}$`),
    times: 1,
    response: { ...sandboxResponse(status, {}), headers },
  });
const CLEAN = { failures: 0, failingSince: null, toldAt: null, pausedUntil: null };

describe("a webhook with a new URL", () => {
  it("gets waiting deliveries immediately, ignoring the pause of the former server", async () => {
    const { moved, next, put, happen, deliveries, row, name } = await pausedEndpoint();
    await happen();
    await work();
    expect(received, "nothing while it is paused").toEqual([name]);
    expect(await put(moved)).toMatchObject({ ...moved, failures: 0, failing_since: null });
    expect(await row()).toMatchObject(CLEAN);
    await work();
    expect(received).toEqual([name, next, next]);
    expect((await deliveries()).map(({ state }: { state: string }) => state)).toEqual([
      "delivered",
      "delivered",
    ]);
  });

  it("stays switched off, and resets its failures", async () => {
    const { id, moved, put } = await pausedEndpoint();
    await prisma().webhookEndpoint.update({ where: { id }, data: { disabledReason: "failing" } });
    expect(await put(moved)).toMatchObject({ is_active: false, disabled_reason: "failing", failures: 0 });
  });

  it("keeps failures and pause when only other fields change", async () => {
    const { put, row, moved, since, name } = await pausedEndpoint();
    const { pausedUntil, toldAt } = await row();
    await put({ description: "Desk", events: [], url: moved.url.replace(/new\d+$/, name) });
    expect(await row()).toMatchObject({ failures: 12, failingSince: since, toldAt, pausedUntil });
  });

  it.each([
    ["410", 410, undefined],
    ["503 with Retry-After", 503, { "retry-after": "3600" }],
  ])("ignores a late %s of the former server", async (_, status, headers) => {
    const { email, moved, next, name, put, happen, deliveries, row } = await endpoint();
    let arrive = () => {};
    let release = () => {};
    const [arrived, gate] = [
      new Promise<void>((resolve) => {
        arrive = resolve;
      }),
      new Promise<void>((resolve) => {
        release = resolve;
      }),
    ];
    peer.faults.push({
      match: new RegExp(`/${name}$`),
      times: 1,
      response: async () => {
        arrive();
        await gate;
        return { ...sandboxResponse(status, {}), headers };
      },
    });
    await happen();
    const working = work();
    try {
      await arrived;
      await put(moved);
    } finally {
      release();
      await working;
    }
    await work();
    expect(await row()).toMatchObject({ ...CLEAN, disabledReason: null });
    expect(received).toEqual([name, next]);
    const [delivery] = await deliveries();
    expect(delivery).toMatchObject({
      state: "delivered",
      attempts: [{ status_code: 204 }, { status_code: status }],
    });
    expect(await mailsTo(server, email, "webhook_disabled")).toEqual([]);
  });
});

it("resets failures and pause when a webhook is switched on, even if it is on", async () => {
  const { put, happen, row, name } = await pausedEndpoint();
  await put({ is_active: true });
  expect(await row()).toMatchObject(CLEAN);
  await work();
  expect(received, "retried at its time").toEqual([name]);
  await happen();
  await work();
  expect(received).toEqual([name, name]);
});

describe("a replay", () => {
  it("of one delivery ignores the pause", async () => {
    const { token, delivery, name, deliveries, row } = await pausedEndpoint();
    const again = await post(`/api/webhook-deliveries/${delivery}/replay`, undefined, { token });
    expect(again.status).toBe(200);
    expect(await row(), "keeps its failures").toMatchObject({ failures: 12, pausedUntil: null });
    await work();
    expect(received).toEqual([name, name]);
    expect((await deliveries())[0].state).toBe("delivered");
  });

  it("of failed deliveries ends the pause only if a delivery has failed", async () => {
    const { id, token, delivery, name, deliveries, row } = await pausedEndpoint();
    const replay = () =>
      post(`/api/webhooks/${id}/replay-failed`, { since: "2020-01-01T00:00:00Z" }, { token });
    expect((await replay()).json.count).toBe(0);
    expect((await row()).pausedUntil).not.toBeNull();
    await prisma().webhookDelivery.update({
      where: { id: delivery },
      data: { state: "failed", nextAt: null },
    });
    expect((await replay()).json.count).toBe(1);
    await work();
    expect(received).toEqual([name, name]);
    expect((await deliveries())[0].state).toBe("delivered");
  });
});
