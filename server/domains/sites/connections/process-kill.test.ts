import { once } from "node:events";
import { beforeEach, expect, it, vi } from "vitest";
import { fromNow, MINUTE } from "@/server/core/time";
import { pool, prisma } from "@/server/infrastructure/database/client";
import { makeConnection, makeToken, makeUser } from "@/server/testing/factories";
import { killProcess, startProgram } from "@/server/testing/processes";
import { startFakeServices } from "@/server/testing/sandboxes";
import { startTestServer } from "@/server/testing/server";
import { listUnsubscribeCalls, makeWhatsappConnections } from "@/server/testing/whatsapp";
import { resumeCleanupsJob } from "./jobs";
import { performCleanupItem } from "./service/perform-item";

const services = await startFakeServices();
const server = await startTestServer({ env: { ...services.env, RATE_LIMITS: "relaxed" } });
beforeEach(() => {
  services.calls.length = 0;
  services.beforeResponse = undefined;
});

const OUR_HOOKS_URL = "http://panel.test/hooks";

async function makeAccountWithNumbers(businessAccountId: string, count: number) {
  const { id: userId } = await makeUser();
  const items: Array<{ channel: string; id: number }> = await makeWhatsappConnections(services, userId, {
    businessAccountId,
    count,
  });
  return { userId, token: await makeToken(userId), items };
}

async function queueItemsInBackground(token: string, items: object[]): Promise<number[]> {
  const body = { items, background: true };
  const { json } = await server.post("/api/idle-connections/cleanup", body, { token });
  const rows = await prisma().cleanupItem.findMany({
    where: { runId: json.receipt_id },
    orderBy: { position: "asc" },
    select: { id: true },
  });
  return rows.map(({ id }) => id);
}

const WAITING_BACKENDS_SQL = `select pid from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock' and pid <> pg_backend_pid()`;

async function holdLock(sql: string) {
  const holder = await pool().connect();
  await holder.query("begin");
  await holder.query(sql);
  return {
    async waitForBackends(minimum = 1): Promise<number[]> {
      const listPids = async () =>
        (await pool().query<{ pid: number }>(WAITING_BACKENDS_SQL)).rows.map(({ pid }) => pid);
      await vi.waitUntil(async () => (await listPids()).length >= minimum, {
        timeout: 120_000,
        interval: 20,
      });
      return listPids();
    },
    async release() {
      await holder.query("rollback");
      holder.release();
    },
  };
}
const buildAccountLockSql = (businessAccountId: string) =>
  `select pg_advisory_xact_lock(hashtext('whatsapp'), hashtext('${businessAccountId}'))`;

/** Kills the process while it waits for the lock, and its database backends, whose statements still run. */
async function killWhileWaiting(
  child: Parameters<typeof killProcess>[0],
  lock: Awaited<ReturnType<typeof holdLock>>,
) {
  const pids = await lock.waitForBackends();
  await killProcess(child);
  for (const pid of pids) await pool().query("select pg_terminate_backend($1)", [pid]);
  await lock.release();
}

type KillContext = { businessAccountId: string; id: number; itemId: number };
const KILL_POINTS: Record<
  string,
  { expectedCallCount: number; kill: (context: KillContext) => Promise<void> }
> = {
  "before its claim": {
    expectedCallCount: 0,
    async kill({ itemId }) {
      const lock = await holdLock(`select 1 from cleanup_items where id = ${itemId} for update`);
      await killWhileWaiting((await startProgram("clean-up", String(itemId))).child, lock);
    },
  },
  "after its claim, before its decision": {
    expectedCallCount: 0,
    async kill({ id, itemId }) {
      const lock = await holdLock(`select 1 from connections where id = ${id} for update`);
      await killWhileWaiting((await startProgram("clean-up", String(itemId))).child, lock);
    },
  },
  ...Object.fromEntries([1, 2, 3, 4, 5].map((nth) => [`in the middle of call ${nth}`, killInCall(nth)])),
  "after its calls, before the connection is removed": {
    expectedCallCount: 3,
    async kill({ businessAccountId, itemId }) {
      const lock = await holdLock(buildAccountLockSql(businessAccountId));
      await killWhileWaiting((await startProgram("clean-up", String(itemId))).child, lock);
    },
  },
  "after the shared calls, before the connection is removed": {
    expectedCallCount: 5,
    async kill({ businessAccountId, itemId }) {
      const { reached, go } = pauseAtCall(5);
      const { child } = await startProgram("clean-up", String(itemId));
      await reached;
      const lock = await holdLock(buildAccountLockSql(businessAccountId));
      go();
      await killWhileWaiting(child, lock);
    },
  },
};

/** Pauses the nth call after its effect, before its response. */
function pauseAtCall(nth: number) {
  let resume = () => {};
  const resumed = new Promise<void>((resolve) => {
    resume = resolve;
  });
  const reached = new Promise<void>((resolve) => {
    let count = 0;
    services.beforeResponse = async () => {
      if (++count !== nth) return;
      resolve();
      await resumed;
    };
  });
  return { reached, go: resume };
}

function killInCall(nth: number) {
  return {
    expectedCallCount: nth - 1,
    async kill({ itemId }: KillContext) {
      const { reached } = pauseAtCall(nth);
      const { child } = await startProgram("clean-up", String(itemId));
      await reached;
      await killProcess(child);
    },
  };
}

it.each(Object.entries(KILL_POINTS))(
  "another process completes an item whose process was killed %s",
  async (killPoint, { expectedCallCount, kill }) => {
    const businessAccountId = String(7700 + Object.keys(KILL_POINTS).indexOf(killPoint));
    const { token, items } = await makeAccountWithNumbers(businessAccountId, 1);
    const { id } = items[0]!;
    const itemId = (await queueItemsInBackground(token, items))[0]!;
    await kill({ businessAccountId, id, itemId });
    services.beforeResponse = undefined;

    expect(await prisma().cleanupCall.count({ where: { itemId } })).toBe(expectedCallCount);
    const itemBefore = await prisma().cleanupItem.findUniqueOrThrow({ where: { id: itemId } });
    if (itemBefore.state === "running") {
      await performCleanupItem(itemId);
      expect(await prisma().cleanupItem.findUnique({ where: { id: itemId } })).toEqual(itemBefore);
      await prisma().cleanupItem.update({ where: { id: itemId }, data: { claimedAt: fromNow(-4 * MINUTE) } });
    }
    await resumeCleanupsJob();
    await Promise.all([server.runJobs(), performCleanupItem(itemId), performCleanupItem(itemId)]);

    expect(await prisma().connection.findUnique({ where: { id } })).toBeNull();
    expect(await prisma().cleanupItem.findUnique({ where: { id: itemId } })).toMatchObject({
      state: "ok",
      reason: null,
    });
    expect(await services.stores.meta.get(`override:${businessAccountId}0`)).toBeUndefined();
    expect(await services.stores.meta.get(`apps:${businessAccountId}`)).toEqual(["9"]);
    expect(listUnsubscribeCalls(services, businessAccountId)).toHaveLength(1);
    const auditWhere = { action: "connection.cleaned", objectId: String(id) };
    expect(await prisma().auditEvent.count({ where: auditWhere })).toBe(1);
  },
);

it("two processes with the same items process each item once and make the account-wide call once", async () => {
  const { userId, token, items } = await makeAccountWithNumbers("7790", 8);
  for (let index = 0; index < 4; index++) {
    const { id, remoteKey } = await makeConnection(userId);
    await services.stores.telegram.set(`hook:${remoteKey}`, `${OUR_HOOKS_URL}/telegram/x`);
    items.push({ channel: "telegram", id });
  }
  const ids = await queueItemsInBackground(token, items);
  const lock = await holdLock("select 1 from cleanup_items for update");
  const programs = await Promise.all([1, 2].map(() => startProgram("clean-up", ...ids.map(String))));
  const exits = programs.map(({ child }) => once(child, "exit"));
  // Each process has five queues, one for the provider account and one per bot: with six waits, both wait.
  await lock.waitForBackends(6);
  await lock.release();
  expect((await Promise.all(exits)).map(([code]) => code)).toEqual([0, 0]);
  expect(await prisma().connection.count({ where: { userId } })).toBe(0);
  const finishedItems = await prisma().cleanupItem.findMany({ where: { id: { in: ids } } });
  expect(finishedItems.map(({ state, attempts }) => [state, attempts])).toEqual(ids.map(() => ["ok", 1]));
  expect(listUnsubscribeCalls(services, "7790")).toHaveLength(1);
  expect(await services.stores.meta.get("apps:7790")).toEqual(["9"]);
  expect(services.calls.filter((call) => call.endsWith("deleteWebhook"))).toHaveLength(4);
  const auditWhere = { action: "connection.cleaned", objectId: { in: items.map(({ id }) => String(id)) } };
  expect(await prisma().auditEvent.count({ where: auditWhere })).toBe(items.length);
});
