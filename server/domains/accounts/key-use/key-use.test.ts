import { describe, expect, it, vi } from "vitest";
import { DAY, fromNow, HOUR, MINUTE } from "@/server/core/time";
import { getReadLanes, pool, prisma } from "@/server/infrastructure/database/client";
import { inTransaction } from "@/server/infrastructure/database/transaction";
import { hashSecret } from "@/server/infrastructure/secrets/tokens";
import { makeSite, makeToken, makeUser } from "@/server/testing/factories";
import { startTestServer } from "@/server/testing/server";
import { deleteOldKeyUseJob } from "./jobs";
import { recordKeyCall, recordKeyUse, writeKeyUse } from "./service/record";
import { MAX_ROWS_PER_DAY } from "./statements";

const { call, get, post } = await startTestServer();

async function makeOwnerWithKey() {
  const owner = await makeUser();
  const key = await makeToken(owner.id, { kind: "api_key" });
  const { id } = await prisma().accessToken.findUniqueOrThrow({
    where: { tokenHash: Uint8Array.from(hashSecret(key)) },
    select: { id: true },
  });
  return { owner, key, id, token: await makeToken(owner.id) };
}

async function makeSiteWithKey() {
  const owner = await makeUser();
  const site = await makeSite(owner.id);
  const token = await makeToken(owner.id, { provenAt: new Date() });
  const renewKey = async (grace_minutes = 0) =>
    (await post(`/api/sites/${site.id}/regenerate-external-key`, { grace_minutes }, { token })).json
      .external_api_key as string;
  return { owner, site, token, renew: renewKey };
}

const getWithKey = (key: string, path: string) => call("GET", path, { headers: { "x-api-key": key } });
const recordCall = (id: number, operation: string, ip: string) =>
  recordKeyUse({ token: { id, kind: "api_key" } } as never, operation, ip);

describe("the use of an API key", () => {
  it("is counted by operation and address, including refused calls, but not for sessions", async () => {
    const { key, id, token } = await makeOwnerWithKey();
    for (let index = 0; index < 3; index++) expect((await get("/api/sites", key)).status).toBe(200);
    expect((await get("/api/admin/users", key)).status).toBe(403);
    await get("/api/sites", token);
    const { status, json } = await get(`/api/user/tokens/${id}/use`, token);
    expect(status).toBe(200);
    expect(json.use).toEqual(json.data);
    expect(json.use).toMatchObject({
      calls_7d: 4,
      addresses_count: 4,
      operations: [
        { operation: "listSites", method: "GET", path: "/api/sites", calls: 3 },
        { operation: expect.any(String), path: "/api/admin/users", calls: 1 },
      ],
    });
    expect(json.use.addresses.map(({ calls }: { calls: number }) => calls)).toEqual([1, 1, 1, 1]);
    const { json: keyList } = await get("/api/user/tokens", token);
    expect(keyList.tokens).toMatchObject([{ id, calls_7d: 4, addresses_count: 4 }]);
  });

  it("is counted without a query of its own", async () => {
    const { key } = await makeOwnerWithKey();
    await get("/api/sites", key);
    await vi.waitFor(async () =>
      expect(
        await prisma().accessToken.count({
          where: { tokenHash: Uint8Array.from(hashSecret(key)), lastUsedAt: { not: null } },
        }),
      ).toBe(1),
    );
    const querySpies = [vi.spyOn(getReadLanes(), "query"), vi.spyOn(pool(), "query")];
    try {
      for (let index = 0; index < 5; index++) expect((await get("/api/sites", key)).status).toBe(200);
      // One query per call: the lookup of the key.
      expect(querySpies.reduce((sum, { mock }) => sum + mock.calls.length, 0)).toBe(5);
    } finally {
      for (const spy of querySpies) spy.mockRestore();
    }
  });

  it("is summed up over minutes, and over addresses of one network", async () => {
    const { id, token } = await makeOwnerWithKey();
    for (const ip of ["2001:db8::1", "2001:db8::2", "203.0.113.9"]) recordCall(id, "listSites", ip);
    await writeKeyUse();
    recordCall(id, "listSites", "203.0.113.9");
    const { json } = await get(`/api/user/tokens/${id}/use`, token);
    expect(json.use.operations).toMatchObject([{ operation: "listSites", calls: 4 }]);
    expect(json.use.addresses).toMatchObject([{ calls: 2 }, { calls: 2 }]);
    expect(json.use).toMatchObject({ calls_7d: 4, addresses_count: 2 });
  });

  it("has a maximum of rows per day; further calls are summed up in one row", async () => {
    const { id, token } = await makeOwnerWithKey();
    const callCount = MAX_ROWS_PER_DAY + 50;
    for (let index = 0; index < callCount; index++) {
      recordCall(id, "listSites", `10.0.${index >> 8}.${index & 255}`);
      if (index % 90 === 0) await writeKeyUse();
    }
    await writeKeyUse();
    expect(await prisma().keyUse.count({ where: { tokenId: id } })).toBe(MAX_ROWS_PER_DAY);
    const { json } = await get(`/api/user/tokens/${id}/use`, token);
    expect(json.use.calls_7d).toBe(callCount);
    expect(json.use.operations).toContainEqual(
      expect.objectContaining({ operation: null, method: null, path: null }),
    );
  });

  it("is written concurrently without a loss", async () => {
    const { id } = await makeOwnerWithKey();
    await Promise.all(
      Array.from({ length: 10 }, (_, index) => {
        for (const operation of ["listSites", "getSite"]) recordCall(id, operation, `10.0.0.${index % 3}`);
        return writeKeyUse();
      }),
    );
    const { _sum } = await prisma().keyUse.aggregate({ where: { tokenId: id }, _sum: { calls: true } });
    expect(_sum.calls).toBe(20);
  });

  it("is deleted with the key, and a deleted key does not block other figures", async () => {
    const [deletedKey, otherKey] = [await makeOwnerWithKey(), await makeOwnerWithKey()];
    recordCall(deletedKey.id, "listSites", "10.0.0.1");
    await writeKeyUse();
    recordCall(deletedKey.id, "listSites", "10.0.0.1");
    recordCall(otherKey.id, "listSites", "10.0.0.1");
    expect(
      (await call("DELETE", `/api/user/tokens/${deletedKey.id}`, { token: deletedKey.token })).status,
    ).toBe(200);
    await writeKeyUse();
    expect(await prisma().keyUse.count({ where: { tokenId: deletedKey.id } })).toBe(0);
    expect(await prisma().keyUse.count({ where: { tokenId: otherKey.id } })).toBe(1);
    expect((await get(`/api/user/tokens/${deletedKey.id}/use`, deletedKey.token)).status).toBe(404);
    expect((await get(`/api/user/tokens/${otherKey.id}/use`, deletedKey.token)).status).toBe(403);
  });

  it("counts calls and errors by quarter of an hour, and skips a key in deletion", async () => {
    const [one, other] = [await makeOwnerWithKey(), await makeOwnerWithKey()];
    await get("/api/sites", one.key);
    await get("/api/sites/2147483647", one.key);
    await get("/api/admin/users", one.key);
    await get("/api/sites", other.key);
    const readStats = (tokenId: number) =>
      prisma().keyCallStat.aggregate({ where: { tokenId }, _sum: { calls: true, errors: true } });
    await inTransaction(async (tx) => {
      await tx.db.accessToken.delete({ where: { id: other.id } });
      await writeKeyUse();
    });
    expect((await readStats(one.id))._sum).toEqual({ calls: 3, errors: 2 });
    expect((await readStats(other.id))._sum).toEqual({ calls: null, errors: null });
    const rows = await prisma().keyCallStat.findMany({ where: { tokenId: one.id } });
    for (const { at } of rows) expect(at.getTime() % (15 * MINUTE)).toBe(0);
  });

  it("adds calls to the row of the quarter of an hour, also after a failed write", async () => {
    const { id } = await makeOwnerWithKey();
    const actor = { token: { id, kind: "api_key" } } as never;
    vi.useFakeTimers({ now: fromNow(-HOUR), toFake: ["Date"] });
    try {
      recordKeyCall(actor, 200);
      await writeKeyUse();
      recordKeyCall(actor, 404);
      const query = vi.spyOn(pool(), "query").mockRejectedValue(new Error("no connection") as never);
      await expect(writeKeyUse()).rejects.toThrow("no connection");
      query.mockRestore();
      recordKeyCall(actor, 500);
      await writeKeyUse();
    } finally {
      vi.useRealTimers();
    }
    expect(await prisma().keyCallStat.findMany({ where: { tokenId: id } })).toMatchObject([
      { calls: 3, errors: 2 },
    ]);
  });

  it("is deleted after 30 days, calls by quarter of an hour after 90", async () => {
    const { id } = await makeOwnerWithKey();
    const row = { tokenId: id, operation: "listSites", address: "10.0.0.1", calls: 1, lastAt: new Date() };
    await prisma().keyUse.createMany({
      data: [
        { ...row, day: fromNow(-32 * DAY) },
        { ...row, day: fromNow(-28 * DAY) },
      ],
    });
    await prisma().keyCallStat.createMany({
      data: [91, 89].map((days) => ({ tokenId: id, at: fromNow(-days * DAY), calls: 1, errors: 0 })),
    });
    await deleteOldKeyUseJob();
    expect(await prisma().keyUse.count({ where: { tokenId: id } })).toBe(1);
    expect(await prisma().keyCallStat.count({ where: { tokenId: id } })).toBe(1);
  });
});

describe("the use of external keys", () => {
  it("shows whether the old key is still used, and ends it", async () => {
    const { site, token, renew: renewKey } = await makeSiteWithKey();
    const oldKey = await renewKey();
    const newKey = await renewKey(60);
    expect((await getWithKey(oldKey, `/api/sites/${site.id}`)).status).toBe(200);
    for (let index = 0; index < 2; index++) expect((await getWithKey(newKey, "/api/sites")).status).toBe(200);
    const { json } = await get(`/api/sites/${site.id}/keys/use`, token);
    expect(json.keys).toMatchObject([
      {
        last_four: newKey.slice(-4),
        valid_until: null,
        calls_7d: 2,
        operations: [{ operation: "listSites" }],
      },
      { last_four: oldKey.slice(-4), calls_7d: 1, operations: [{ operation: "getSite", calls: 1 }] },
    ]);
    const { json: keys } = await get(`/api/sites/${site.id}/keys`, token);
    expect(keys).toMatchObject({ external_key: { calls_7d: 2 }, previous_keys: [{ calls_7d: 1 }] });

    for (let index = 0; index < 2; index++) {
      expect((await post(`/api/sites/${site.id}/keys/end-previous`, {}, { token })).status).toBe(200);
    }
    expect((await getWithKey(oldKey, "/api/sites")).status).toBe(401);
    expect((await getWithKey(newKey, "/api/sites")).status).toBe(200);
    const endedCount = await prisma().auditEvent.count({
      where: { action: "site.previous_keys_ended", objectId: String(site.id) },
    });
    expect(endedCount).toBe(1);
  });

  it("is listed in pages for all sites the caller manages", async () => {
    const { owner, site, token, renew: renewKey } = await makeSiteWithKey();
    await renewKey();
    const currentKey = await renewKey(60);
    const { json } = await get("/api/site-keys?per_page=1", token);
    expect(json).toMatchObject({
      keys: [{ site_id: site.id, site_name: site.name, last_four: currentKey.slice(-4), valid_until: null }],
      meta: { total: 2, per_page: 1 },
    });
    const strangerToken = await makeToken((await makeUser()).id);
    expect((await get("/api/site-keys", strangerToken)).json.keys).toEqual([]);
    const agent = await makeUser({ isAgentOnly: true, assignedSiteId: site.id, parentUserId: owner.id });
    expect((await get("/api/site-keys", await makeToken(agent.id))).status).toBe(403);
  });
});
