import { describe, expect, it } from "vitest";
import type { AuditAction } from "@/server/core/domain";
import { DAY, fromNow } from "@/server/core/time";
import { prisma } from "@/server/infrastructure/database/client";
import { makeSignedInUser, makeSite, makeToken } from "@/server/testing/factories";
import { startTestServer } from "@/server/testing/server";

const { get } = await startTestServer();

type Line = { key: string; total: number; values: number[] };

async function readSeries(path: string, token: string) {
  const { status, json } = await get(path, token);
  expect(status, path).toBe(200);
  const lines = Object.fromEntries((json.data.lines as Line[]).map((line) => [line.key, line]));
  return { lines, data: json.data };
}

describe("calls of API keys over time", () => {
  async function makeKey(userId: number, name: string, calls: Array<[daysAgo: number, number, number]>) {
    await makeToken(userId, { kind: "api_key", name });
    const { id } = await prisma().accessToken.findFirstOrThrow({ where: { userId, name } });
    await prisma().keyCallStat.createMany({
      data: calls.map(([daysAgo, count, errors]) => ({
        ...{ tokenId: id, at: fromNow(-daysAgo * DAY), calls: count, errors },
      })),
    });
    return id;
  }

  it("adds up all keys of the account or shows one, and nothing of others", async () => {
    const [owner, stranger] = [await makeSignedInUser(), await makeSignedInUser()];
    const shop = await makeKey(owner.id, "shop", [
      [0, 10, 4],
      [2, 5, 0],
      [8, 100, 100],
    ]);
    const desk = await makeKey(owner.id, "desk", [[2, 20, 1]]);
    const unused = await makeKey(owner.id, "unused", []);
    const foreign = await makeKey(stranger.id, "foreign", [[0, 1000, 1000]]);
    const all = await readSeries("/api/user/tokens/series?period=7d&time_zone=UTC", owner.token);
    expect(all.lines.succeeded!.values).toEqual([0, 0, 0, 0, 24, 0, 6]);
    expect(all.lines.errors!.values).toEqual([0, 0, 0, 0, 1, 0, 4]);
    expect(all.data.keys).toEqual([
      { id: desk, calls: [0, 0, 0, 0, 20, 0, 0] },
      { id: shop, calls: [0, 0, 0, 0, 5, 0, 10] },
    ]);
    const one = await readSeries(`/api/user/tokens/series?period=7d&token_id=${shop}`, owner.token);
    expect([one.lines.succeeded!.total, one.lines.errors!.total]).toEqual([11, 4]);
    const none = await readSeries(`/api/user/tokens/series?token_id=${unused}`, owner.token);
    expect([none.lines.succeeded!.total, none.data.keys]).toEqual([0, []]);
    expect((await get(`/api/user/tokens/series?token_id=${foreign}`, owner.token)).status).toBe(403);
    expect((await get("/api/user/tokens/series?token_id=2147483647", owner.token)).status).toBe(404);
  });
});

describe("sign-ins over time", () => {
  const record = (userId: number, entries: Array<[daysAgo: number, action: AuditAction]>) =>
    prisma().auditEvent.createMany({
      data: entries.map(([daysAgo, action]) => ({
        ...{ action, at: fromNow(-daysAgo * DAY), actorKind: "anonymous", actorId: userId },
        ...{ objectType: "User", objectId: String(userId) },
      })),
    });
  const toTotals = (lines: Record<string, Line>) =>
    Object.fromEntries(Object.values(lines).map(({ key, total }) => [key, total]));

  it("are those of the account, since its owner took it over", async () => {
    const [owner, stranger] = [await makeSignedInUser(), await makeSignedInUser()];
    await record(owner.id, [
      [4, "sign_in.failed"],
      [3, "account.claimed"],
      [2, "sign_in.succeeded"],
      [2, "sign_in.failed"],
      [1, "sign_in.failed"],
      [0, "sign_in.refused"],
      [0, "password.reset"],
    ]);
    await record(stranger.id, [[0, "sign_in.failed"]]);
    const { lines } = await readSeries("/api/user/sign-ins/series?period=7d&time_zone=UTC", owner.token);
    expect(lines.failed!.values).toEqual([0, 0, 0, 0, 1, 1, 0]);
    expect(lines.succeeded!.values).toEqual([0, 0, 0, 0, 1, 0, 0]);
    expect(lines.refused!.values).toEqual([0, 0, 0, 0, 0, 0, 1]);
  });

  it("of a team are those of its members since they joined, and closed to agents", async () => {
    const owner = await makeSignedInUser();
    const site = await makeSite(owner.id);
    const agent = await makeSignedInUser({
      ...{ isAgentOnly: true, parentUserId: owner.id, assignedSiteId: site.id },
    });
    const joined = await makeSignedInUser({ parentUserId: owner.id });
    const stranger = await makeSignedInUser();
    await record(owner.id, [[1, "sign_in.succeeded"]]);
    await record(stranger.id, [[1, "sign_in.succeeded"]]);
    await record(agent.id, [
      [2, "sign_in.failed"],
      [1, "sign_in.succeeded"],
    ]);
    await record(joined.id, [
      [3, "sign_in.failed"],
      [2, "account.parent_changed"],
      [1, "sign_in.succeeded"],
    ]);
    const path = "/api/user/sign-ins/series?scope=team&period=7d";
    const team = await readSeries(path, owner.token);
    expect(toTotals(team.lines)).toEqual({ succeeded: 2, failed: 1, refused: 0 });
    expect((await get(path, agent.token)).status).toBe(403);
    const { lines } = await readSeries(path, stranger.token);
    expect(toTotals(lines)).toEqual({ succeeded: 0, failed: 0, refused: 0 });
  });
});
