import { once } from "node:events";
import { beforeEach, expect, it, vi } from "vitest";
import { fromNow, MINUTE } from "@/server/core/time";
import { pool, prisma } from "@/server/infrastructure/database/client";
import { makeConnection, makeToken, makeUser } from "@/server/testing/factories";
import { killProcess, startProgram } from "@/server/testing/processes";
import { startFakeServices } from "@/server/testing/sandboxes";
import { startTestServer } from "@/server/testing/server";
import { listUnsubscribeCalls, makeWhatsappNumbers } from "@/server/testing/whatsapp";
import { resumeCleanupsJob } from "./jobs";
import { performItem } from "./service/perform-item";

const services = await startFakeServices();
const server = await startTestServer({ env: { ...services.env, RATE_LIMITS: "relaxed" } });
beforeEach(() => {
  services.calls.length = 0;
  services.beforeResponse = undefined;
});

const OUR_HOOKS_URL = "http://panel.test/hooks";

async function makeAccount(waba: string, count: number) {
  const { id: userId } = await makeUser();
  const items: Array<{ channel: string; id: number }> = await makeWhatsappNumbers(services, userId, {
    businessAccountId: waba,
    count,
  });
  return { userId, token: await makeToken(userId), items };
}

async function openItems(token: string, items: object[]): Promise<number[]> {
  const body = { items, background: true };
  const { json } = await server.post("/api/idle-connections/cleanup", body, { token });
  const rows = await prisma().cleanupItem.findMany({
    where: { runId: json.receipt_id },
    orderBy: { position: "asc" },
    select: { id: true },
  });
  return rows.map(({ id }) => id);
}

const WAITING_BACKENDS = `select pid from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock' and pid <> pg_backend_pid()`;

async function holdLock(sql: string) {
  const holder = await pool().connect();
  await holder.query("begin");
  await holder.query(sql);
  return {
    async waitForBackends(minimum = 1): Promise<number[]> {
      const pids = async () =>
        (await pool().query<{ pid: number }>(WAITING_BACKENDS)).rows.map(({ pid }) => pid);
      await vi.waitUntil(async () => (await pids()).length >= minimum, { timeout: 120_000, interval: 20 });
      return pids();
    },
    async release() {
      await holder.query("rollback");
      holder.release();
    },
  };
}
const accountLock = (waba: string) =>
  `select pg_advisory_xact_lock(hashtext('whatsapp'), hashtext('${waba}'))`;

/** Kills the process while it waits for the lock, and its database backends, whose statements still run. */
async function killWaiting(
  child: Parameters<typeof killProcess>[0],
  lock: Awaited<ReturnType<typeof holdLock>>,
) {
  const pids = await lock.waitForBackends();
  await killProcess(child);
  for (const pid of pids) await pool().query("select pg_terminate_backend($1)", [pid]);
  await lock.release();
}

type KillContext = { waba: string; id: number; itemId: number };
const KILL_POINTS: Record<string, { calls: number; kill: (context: KillContext) => Promise<void> }> = {
  "before its claim": {
    calls: 0,
    async kill({ itemId }) {
      const lock = await holdLock(`select 1 from cleanup_items where id = ${itemId} for update`);
      await killWaiting((await startProgram("clean-up", String(itemId))).child, lock);
    },
  },
  "after its claim, before its decision": {
    calls: 0,
    async kill({ id, itemId }) {
      const lock = await holdLock(`select 1 from connections where id = ${id} for update`);
      await killWaiting((await startProgram("clean-up", String(itemId))).child, lock);
    },
  },
  ...Object.fromEntries([1, 2, 3, 4, 5].map((nth) => [`in the middle of call ${nth}`, killInCall(nth)])),
  "after its calls, before the connection is removed": {
    calls: 3,
    async kill({ waba, itemId }) {
      const lock = await holdLock(accountLock(waba));
      await killWaiting((await startProgram("clean-up", String(itemId))).child, lock);
    },
  },
  "after the shared calls, before the connection is removed": {
    calls: 5,
    async kill({ waba, itemId }) {
      const { reached, go } = pauseAt(5);
      const { child } = await startProgram("clean-up", String(itemId));
      await reached;
      const lock = await holdLock(accountLock(waba));
      go();
      await killWaiting(child, lock);
    },
  },
};

/** Pauses the nth call after its effect, before its response. */
function pauseAt(nth: number) {
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
    calls: nth - 1,
    async kill({ itemId }: KillContext) {
      const { reached } = pauseAt(nth);
      const { child } = await startProgram("clean-up", String(itemId));
      await reached;
      await killProcess(child);
    },
  };
}

it.each(Object.entries(KILL_POINTS))(
  "another process completes an item whose process was killed %s",
  async (name, { calls, kill }) => {
    const waba = String(7700 + Object.keys(KILL_POINTS).indexOf(name));
    const { token, items } = await makeAccount(waba, 1);
    const { id } = items[0]!;
    const itemId = (await openItems(token, items))[0]!;
    await kill({ waba, id, itemId });
    services.beforeResponse = undefined;

    expect(await prisma().cleanupCall.count({ where: { itemId } })).toBe(calls);
    const before = await prisma().cleanupItem.findUniqueOrThrow({ where: { id: itemId } });
    if (before.state === "running") {
      await performItem(itemId);
      expect(await prisma().cleanupItem.findUnique({ where: { id: itemId } })).toEqual(before);
      await prisma().cleanupItem.update({ where: { id: itemId }, data: { claimedAt: fromNow(-4 * MINUTE) } });
    }
    await resumeCleanupsJob();
    await Promise.all([server.runJobs(), performItem(itemId), performItem(itemId)]);

    expect(await prisma().connection.findUnique({ where: { id } })).toBeNull();
    expect(await prisma().cleanupItem.findUnique({ where: { id: itemId } })).toMatchObject({
      state: "ok",
      reason: null,
    });
    expect(await services.stores.meta.get(`override:${waba}0`)).toBeUndefined();
    expect(await services.stores.meta.get(`apps:${waba}`)).toEqual(["9"]);
    expect(listUnsubscribeCalls(services, waba)).toHaveLength(1);
    const auditWhere = { action: "connection.cleaned", objectId: String(id) };
    expect(await prisma().auditEvent.count({ where: auditWhere })).toBe(1);
  },
);

it("two processes with the same items process each item once and make the account-wide call once", async () => {
  const { userId, token, items } = await makeAccount("7790", 8);
  for (let index = 0; index < 4; index++) {
    const { id, remoteKey } = await makeConnection(userId);
    await services.stores.telegram.set(`hook:${remoteKey}`, `${OUR_HOOKS_URL}/telegram/x`);
    items.push({ channel: "telegram", id });
  }
  const ids = await openItems(token, items);
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
