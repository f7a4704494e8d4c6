import { beforeEach, expect, it } from "vitest";
import { fromNow, MINUTE } from "@/server/core/time";
import { prisma } from "@/server/infrastructure/database/client";
import { makeConnection, makeToken, makeUser } from "@/server/testing/factories";
import { kill, startProgram } from "@/server/testing/processes";
import { sandboxPeer } from "@/server/testing/sandbox";
import { testServer } from "@/server/testing/server";
import { performItem } from "./service/perform";

const peer = await sandboxPeer();
const server = await testServer({ env: { ...peer.env, RATE_LIMITS: "relaxed" } });
beforeEach(() => {
  peer.calls.length = 0;
  peer.pause = undefined;
});

/** The last number of an account at Meta: compare, clear, and what is shared, each its own call. */
async function lastOf(waba: string) {
  const { id: userId } = await makeUser();
  const remoteKey = `${waba}0`;
  await peer.stores.meta.set(`apps:${waba}`, ["100000000000001", "9"]);
  await peer.stores.meta.set(`override:${remoteKey}`, "http://panel.test/hooks/whatsapp/x");
  const { id } = await makeConnection(userId, {
    channel: "whatsapp",
    connectionType: "cloud_api",
    remoteKey,
    accountKey: waba,
    secret: "a-token-of-whatsapp",
  });
  const body = { items: [{ channel: "whatsapp", id }], background: true };
  const token = await makeToken(userId);
  const { json } = await server.post("/api/idle-connections/cleanup", body, { token });
  const item = await prisma().cleanupItem.findFirstOrThrow({ where: { runId: json.receipt_id } });
  return { id, itemId: item.id, remoteKey, key: `apps:${waba}` };
}

it.each([1, 2, 3, 4])(
  "killed in the middle of call %i, another process brings it to the same end",
  async (nth) => {
    const { id, itemId, remoteKey, key } = await lastOf(`77${nth}00`);
    const reached = new Promise<void>((arrived) => {
      let count = 0;
      // The effect has happened, and the answer never comes.
      peer.pause = () => (++count === nth ? new Promise(() => arrived()) : Promise.resolve());
    });
    const { child } = await startProgram("clean-up", String(itemId));
    await reached;
    await kill(child);
    peer.pause = undefined;

    const row = await prisma().connection.findUniqueOrThrow({ where: { id } });
    expect(row).toMatchObject({ cleanup: "running", isActive: false });
    expect(await prisma().cleanupCall.count({ where: { itemId } })).toBe(nth - 1);
    // Its claim stands until it is three minutes old.
    await performItem(itemId);
    expect(await prisma().cleanupItem.findUnique({ where: { id: itemId } })).toMatchObject({
      state: "running",
    });
    await prisma().cleanupItem.update({ where: { id: itemId }, data: { claimedAt: fromNow(-4 * MINUTE) } });
    await Promise.all([performItem(itemId), performItem(itemId)]);

    expect(await prisma().connection.findUnique({ where: { id } })).toBeNull();
    expect(await prisma().cleanupItem.findUnique({ where: { id: itemId } })).toMatchObject({ state: "ok" });
    expect(await peer.stores.meta.get(`override:${remoteKey}`)).toBeUndefined();
    expect(await peer.stores.meta.get(key)).toEqual(["9"]);
    expect(peer.calls.filter((call) => call.startsWith("DELETE"))).toHaveLength(1);
  },
  60_000,
);
