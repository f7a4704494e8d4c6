import { describe, expect, it, vi } from "vitest";
import { DAY, fromNow } from "@/server/core/time";
import { lanes, pool, prisma } from "@/server/infrastructure/database/client";
import { digest } from "@/server/infrastructure/secrets/tokens";
import { makeSite, makeToken, makeUser } from "@/server/testing/factories";
import { testServer } from "@/server/testing/server";
import { deleteOldKeyUseJob } from "./jobs";
import { countUse, writeUse } from "./service";
import { ROWS_MAX } from "./statements";

const { call, get, post } = await testServer();

async function ownerWithKey() {
  const owner = await makeUser();
  const key = await makeToken(owner.id, { kind: "api_key" });
  const { id } = await prisma().accessToken.findUniqueOrThrow({
    where: { tokenHash: Uint8Array.from(digest(key)) },
    select: { id: true },
  });
  return { owner, key, id, token: await makeToken(owner.id) };
}

async function siteWithKey() {
  const owner = await makeUser();
  const site = await makeSite(owner.id);
  const token = await makeToken(owner.id, { provenAt: new Date() });
  const renew = async (grace_minutes = 0) =>
    (await post(`/api/sites/${site.id}/regenerate-external-key`, { grace_minutes }, { token })).json
      .external_api_key as string;
  return { owner, site, token, renew };
}

const withKey = (key: string, path: string) => call("GET", path, { headers: { "x-api-key": key } });
const count = (id: number, operation: string, ip: string) =>
  countUse({ token: { id, kind: "api_key" } } as never, operation, ip);

describe("the use of an API key", () => {
  it("is counted by operation and address, with refused calls, and not for sessions", async () => {
    const { key, id, token } = await ownerWithKey();
    for (let each = 0; each < 3; each++) expect((await get("/api/sites", key)).status).toBe(200);
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
    const { json: list } = await get("/api/user/tokens", token);
    expect(list.tokens).toMatchObject([{ id, calls_7d: 4, addresses_count: 4 }]);
  });

  it("costs no query", async () => {
    const { key } = await ownerWithKey();
    await get("/api/sites", key);
    await vi.waitFor(async () =>
      expect(
        await prisma().accessToken.count({
          where: { tokenHash: Uint8Array.from(digest(key)), lastUsedAt: { not: null } },
        }),
      ).toBe(1),
    );
    const queries = [vi.spyOn(lanes(), "query"), vi.spyOn(pool(), "query")];
    try {
      for (let each = 0; each < 5; each++) expect((await get("/api/sites", key)).status).toBe(200);
      expect(queries.reduce((sum, { mock }) => sum + mock.calls.length, 0)).toBe(5);
    } finally {
      for (const spy of queries) spy.mockRestore();
    }
  });

  it("is summed up over minutes, and over addresses of one network", async () => {
    const { id, token } = await ownerWithKey();
    for (const ip of ["2001:db8::1", "2001:db8::2", "203.0.113.9"]) count(id, "listSites", ip);
    await writeUse();
    count(id, "listSites", "203.0.113.9");
    const { json } = await get(`/api/user/tokens/${id}/use`, token);
    expect(json.use.operations).toMatchObject([{ operation: "listSites", calls: 4 }]);
    expect(json.use.addresses).toMatchObject([{ calls: 2 }, { calls: 2 }]);
    expect(json.use).toMatchObject({ calls_7d: 4, addresses_count: 2 });
  });

  it("is limited in rows per day; the rest is summed up", async () => {
    const { id, token } = await ownerWithKey();
    const calls = ROWS_MAX + 50;
    for (let each = 0; each < calls; each++) {
      count(id, "listSites", `10.0.${each >> 8}.${each & 255}`);
      if (each % 90 === 0) await writeUse();
    }
    await writeUse();
    expect(await prisma().keyUse.count({ where: { tokenId: id } })).toBe(ROWS_MAX);
    const { json } = await get(`/api/user/tokens/${id}/use`, token);
    expect(json.use.calls_7d).toBe(calls);
    expect(json.use.operations).toContainEqual(
      expect.objectContaining({ operation: null, method: null, path: null }),
    );
  });

  it("is written concurrently without a loss", async () => {
    const { id } = await ownerWithKey();
    await Promise.all(
      Array.from({ length: 10 }, (_, each) => {
        for (const operation of ["listSites", "getSite"]) count(id, operation, `10.0.0.${each % 3}`);
        return writeUse();
      }),
    );
    const { _sum } = await prisma().keyUse.aggregate({ where: { tokenId: id }, _sum: { calls: true } });
    expect(_sum.calls).toBe(20);
  });

  it("is deleted with the key, and a deleted key does not block other figures", async () => {
    const [gone, other] = [await ownerWithKey(), await ownerWithKey()];
    count(gone.id, "listSites", "10.0.0.1");
    await writeUse();
    count(gone.id, "listSites", "10.0.0.1");
    count(other.id, "listSites", "10.0.0.1");
    expect((await call("DELETE", `/api/user/tokens/${gone.id}`, { token: gone.token })).status).toBe(200);
    await writeUse();
    expect(await prisma().keyUse.count({ where: { tokenId: gone.id } })).toBe(0);
    expect(await prisma().keyUse.count({ where: { tokenId: other.id } })).toBe(1);
    expect((await get(`/api/user/tokens/${gone.id}/use`, gone.token)).status).toBe(404);
    expect((await get(`/api/user/tokens/${other.id}/use`, gone.token)).status).toBe(403);
  });

  it("is deleted after 30 days", async () => {
    const { id } = await ownerWithKey();
    const row = { tokenId: id, operation: "listSites", address: "10.0.0.1", calls: 1, lastAt: new Date() };
    await prisma().keyUse.createMany({
      data: [
        { ...row, day: fromNow(-32 * DAY) },
        { ...row, day: fromNow(-28 * DAY) },
      ],
    });
    await deleteOldKeyUseJob();
    expect(await prisma().keyUse.count({ where: { tokenId: id } })).toBe(1);
  });
});

describe("the use of external keys", () => {
  it("shows whether the old key is still used, and ends it", async () => {
    const { site, token, renew } = await siteWithKey();
    const oldKey = await renew();
    const newKey = await renew(60);
    expect((await withKey(oldKey, `/api/sites/${site.id}`)).status).toBe(200);
    for (let each = 0; each < 2; each++) expect((await withKey(newKey, "/api/sites")).status).toBe(200);
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

    for (let each = 0; each < 2; each++) {
      expect((await post(`/api/sites/${site.id}/keys/end-previous`, {}, { token })).status).toBe(200);
    }
    expect((await withKey(oldKey, "/api/sites")).status).toBe(401);
    expect((await withKey(newKey, "/api/sites")).status).toBe(200);
    const endedCount = await prisma().auditEvent.count({
      where: { action: "site.previous_keys_ended", objectId: String(site.id) },
    });
    expect(endedCount).toBe(1);
  });

  it("is listed in pages for all sites the caller manages", async () => {
    const { owner, site, token, renew } = await siteWithKey();
    await renew();
    const current = await renew(60);
    const { json } = await get("/api/site-keys?per_page=1", token);
    expect(json).toMatchObject({
      keys: [{ site_id: site.id, site_name: site.name, last_four: current.slice(-4), valid_until: null }],
      meta: { total: 2, per_page: 1 },
    });
    const stranger = await makeToken((await makeUser()).id);
    expect((await get("/api/site-keys", stranger)).json.keys).toEqual([]);
    const agent = await makeUser({ isAgentOnly: true, assignedSiteId: site.id, parentUserId: owner.id });
    expect((await get("/api/site-keys", await makeToken(agent.id))).status).toBe(403);
  });
});
