import { beforeEach, describe, expect, it } from "vitest";
import { prisma } from "@/server/infrastructure/database/client";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { sandboxResponse } from "@/server/sandbox/sandbox";
import { makeProvenUser } from "@/server/testing/factories";
import { deliverAndReadMails } from "@/server/testing/mailbox";
import { resetRateLimits } from "@/server/testing/rate-limits";
import { startFakeServices } from "@/server/testing/sandboxes";
import { startTestServer } from "@/server/testing/server";
import { emitWebhookEvent } from "./service/events";

const services = await startFakeServices();
const server = await startTestServer({ env: { ...services.env, RATE_LIMITS: "relaxed" } });
const { call, get, post, runJobs } = server;
const receivedNames: string[] = [];
services.onCall = (line) => void receivedNames.push(line.slice(line.lastIndexOf("/") + 1));
beforeEach(async () => {
  await runJobs();
  await resetRateLimits();
  services.faults.length = 0;
  receivedNames.length = 0;
});

let endpointCount = 0;
async function createEndpoint() {
  const { id: userId, email, token } = await makeProvenUser({ locale: "en" });
  const name = `old${++endpointCount}`;
  const response = await post("/api/webhooks", { url: `${services.url}/webhook/${name}` }, { token });
  expect(response.status).toBe(201);
  const id: number = response.json.webhook.id;
  const put = async (body: object) => {
    const { status, json } = await call("PUT", `/api/webhooks/${id}`, { token, body });
    expect(status).toBe(200);
    return json.webhook;
  };
  const emitEvent = () =>
    emitWebhookEvent(withoutTransaction(), {
      type: "connection.token_dead",
      ownerId: userId,
      data: { id: 1, channel: "telegram", label: "Bot", site_ids: [] },
    });
  const readDeliveries = async () => (await get(`/api/webhooks/${id}/deliveries`, token)).json.deliveries;
  const readRow = () => prisma().webhookEndpoint.findUniqueOrThrow({ where: { id } });
  const newUrlBody = { url: `${services.url}/webhook/new${endpointCount}` };
  return {
    id,
    userId,
    email,
    token,
    name,
    newName: `new${endpointCount}`,
    newUrlBody,
    put,
    emitEvent,
    readDeliveries,
    readRow,
  };
}
async function createPausedEndpoint() {
  const webhook = await createEndpoint();
  const { id, name, emitEvent, readRow, readDeliveries } = webhook;
  refuseOnce(name, 429, { "retry-after": "3600" });
  await emitEvent();
  await runJobs();
  expect((await readRow()).pausedUntil!.getTime()).toBeGreaterThan(Date.now() + 3_000_000);
  const since = new Date(Date.now() - 30 * 3_600_000);
  await prisma().webhookEndpoint.update({
    where: { id },
    data: { failures: 12, failingSince: since, toldAt: new Date() },
  });
  const [{ id: deliveryId }] = await readDeliveries();
  return { ...webhook, deliveryId: deliveryId as number, since };
}
const refuseOnce = (name: string, status: number, headers?: Record<string, string>) =>
  services.faults.push({
    match: new RegExp(`/${name}$`),
    times: 1,
    response: { ...sandboxResponse(status, {}), headers },
  });
const RESET_STATE = { failures: 0, failingSince: null, toldAt: null, pausedUntil: null };

describe("a webhook with a new URL", () => {
  it("gets waiting deliveries immediately, ignoring the pause of the former server", async () => {
    const { newUrlBody, newName, put, emitEvent, readDeliveries, readRow, name } =
      await createPausedEndpoint();
    await emitEvent();
    await runJobs();
    expect(receivedNames, "nothing while it is paused").toEqual([name]);
    expect(await put(newUrlBody)).toMatchObject({ ...newUrlBody, failures: 0, failing_since: null });
    expect(await readRow()).toMatchObject(RESET_STATE);
    await runJobs();
    expect(receivedNames).toEqual([name, newName, newName]);
    expect((await readDeliveries()).map(({ state }: { state: string }) => state)).toEqual([
      "delivered",
      "delivered",
    ]);
  });

  it("stays switched off, and resets its failures", async () => {
    const { id, newUrlBody, put } = await createPausedEndpoint();
    await prisma().webhookEndpoint.update({ where: { id }, data: { disabledReason: "failing" } });
    expect(await put(newUrlBody)).toMatchObject({
      is_active: false,
      disabled_reason: "failing",
      failures: 0,
    });
  });

  it("keeps failures and pause when only other fields change", async () => {
    const { put, readRow, newUrlBody, since, name } = await createPausedEndpoint();
    const { pausedUntil, toldAt } = await readRow();
    await put({ description: "Desk", events: [], url: newUrlBody.url.replace(/new\d+$/, name) });
    expect(await readRow()).toMatchObject({ failures: 12, failingSince: since, toldAt, pausedUntil });
  });

  it.each([
    ["410", 410, undefined],
    ["503 with Retry-After", 503, { "retry-after": "3600" }],
  ])("ignores a late %s of the former server", async (_, status, headers) => {
    const { email, newUrlBody, newName, name, put, emitEvent, readDeliveries, readRow } =
      await createEndpoint();
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
    services.faults.push({
      match: new RegExp(`/${name}$`),
      times: 1,
      response: async () => {
        arrive();
        await gate;
        return { ...sandboxResponse(status, {}), headers };
      },
    });
    await emitEvent();
    const pendingJobs = runJobs();
    try {
      await arrived;
      await put(newUrlBody);
    } finally {
      release();
      await pendingJobs;
    }
    await runJobs();
    expect(await readRow()).toMatchObject({ ...RESET_STATE, disabledReason: null });
    expect(receivedNames).toEqual([name, newName]);
    const [delivery] = await readDeliveries();
    expect(delivery).toMatchObject({
      state: "delivered",
      attempts: [{ status_code: 204 }, { status_code: status }],
    });
    expect(await deliverAndReadMails(server, email, "webhook_disabled")).toEqual([]);
  });
});

it("resets failures and pause when a webhook is switched on, even if it is on", async () => {
  const { put, emitEvent, readRow, name } = await createPausedEndpoint();
  await put({ is_active: true });
  expect(await readRow()).toMatchObject(RESET_STATE);
  await runJobs();
  expect(receivedNames, "retried at its time").toEqual([name]);
  await emitEvent();
  await runJobs();
  expect(receivedNames).toEqual([name, name]);
});

describe("a replay", () => {
  it("of one delivery ignores the pause", async () => {
    const { token, deliveryId, name, readDeliveries, readRow } = await createPausedEndpoint();
    const response = await post(`/api/webhook-deliveries/${deliveryId}/replay`, undefined, { token });
    expect(response.status).toBe(200);
    expect(await readRow(), "keeps its failures").toMatchObject({ failures: 12, pausedUntil: null });
    await runJobs();
    expect(receivedNames).toEqual([name, name]);
    expect((await readDeliveries())[0].state).toBe("delivered");
  });

  it("of failed deliveries ends the pause only if a delivery has failed", async () => {
    const { id, token, deliveryId, name, readDeliveries, readRow } = await createPausedEndpoint();
    const replay = () =>
      post(`/api/webhooks/${id}/replay-failed`, { since: "2020-01-01T00:00:00Z" }, { token });
    expect((await replay()).json.count).toBe(0);
    expect((await readRow()).pausedUntil).not.toBeNull();
    await prisma().webhookDelivery.update({
      where: { id: deliveryId },
      data: { state: "failed", nextAt: null },
    });
    expect((await replay()).json.count).toBe(1);
    await runJobs();
    expect(receivedNames).toEqual([name, name]);
    expect((await readDeliveries())[0].state).toBe("delivered");
  });
});
