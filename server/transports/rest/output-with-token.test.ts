import { describe, expect, it, vi } from "vitest";
import { getReadLanes, pool, prisma } from "@/server/infrastructure/database/client";
import { makeSite, makeToken, makeUser } from "@/server/testing/factories";
import { createIpAddress } from "@/server/testing/http";
import { startTestServer } from "@/server/testing/server";
import { getHandlers } from "./operations";

/* Tests operations whose output and token are read by one statement. */

const { get, call } = await startTestServer();

const bundledPaths = getHandlers()
  .filter(({ outputSql }) => outputSql)
  .map(({ operation }) => operation.path);

async function recordStatements(work: () => Promise<unknown>): Promise<string[]> {
  const statements: string[] = [];
  const addStatement = (query: unknown) => {
    const sqlText = (query as { text?: string }).text;
    statements.push(sqlText ?? String(query));
  };
  const spies = [vi.spyOn(getReadLanes(), "query"), vi.spyOn(pool(), "query"), vi.spyOn(pool(), "connect")];
  await work();
  for (const spy of spies) {
    for (const [query] of spy.mock.calls) addStatement(query);
    spy.mockRestore();
  }
  return statements;
}

async function makeAccounts() {
  const reseller = await makeUser({ role: "reseller" });
  const owner = await makeUser({ resellerId: reseller.id });
  const subUser = await makeUser({ parentUserId: owner.id });
  const site = await makeSite(owner.id);
  await makeSite(subUser.id);
  const agent = await makeUser({ parentUserId: owner.id, isAgentOnly: true, assignedSiteId: site.id });
  const unassignedAgent = await makeUser({ parentUserId: owner.id, isAgentOnly: true });
  const admin = await makeUser({ role: "admin" });
  return { reseller, owner, subUser, agent, unassignedAgent, admin, userWithoutSites: await makeUser() };
}

it("covers the reads that the benchmark measures", () => {
  expect(bundledPaths).toEqual(["/api/auth/user", "/api/user", "/api/sites"]);
});

describe.each(bundledPaths)("GET %s", (path) => {
  it("returns every account the same output as the service", async () => {
    for (const [name, { id }] of Object.entries(await makeAccounts())) {
      const token = await makeToken(id);
      // With a query string, even an empty one, the service computes the output.
      const [bundledResponse, serviceResponse] = [await get(path, token), await get(`${path}?`, token)];
      expect({ name, status: bundledResponse.status, text: bundledResponse.text }).toEqual({
        name,
        status: 200,
        text: serviceResponse.text,
      });
    }
  });

  it("runs one statement", async () => {
    const token = await makeToken((await makeUser()).id);
    await get(path, token);
    await vi.waitFor(async () => expect(await recordStatements(() => get(path, token))).toHaveLength(1), {
      timeout: 30_000,
    });
  });

  it("reflects a changed role, a passive account and a revoked token", async () => {
    const user = await makeUser({ role: "admin" });
    await makeSite((await makeUser()).id);
    const token = await makeToken(user.id);
    const responseBefore = await get(path, token);
    await prisma().user.update({ where: { id: user.id }, data: { role: "user" } });
    if (path === "/api/sites") expect(responseBefore.json.data.length).toBeGreaterThan(0);
    const responseAfter = await get(path, token);
    expect(path === "/api/sites" ? responseAfter.json.data : responseAfter.json.user.role).toEqual(
      path === "/api/sites" ? [] : "user",
    );
    await prisma().user.update({ where: { id: user.id }, data: { isActive: false } });
    expect((await get(path, token)).status).toBe(403);
    await prisma().user.update({ where: { id: user.id }, data: { isActive: true } });
    await prisma().accessToken.deleteMany({ where: { userId: user.id } });
    expect((await get(path, token)).status).toBe(401);
  });

  it("requires the ability to read", async () => {
    const token = await makeToken((await makeUser()).id, { abilities: ["sites:write"] });
    expect((await get(path, token)).status).toBe(403);
  });
});

it("skips the output for a caller over the limit", async () => {
  const token = await makeToken((await makeUser()).id);
  const ip = createIpAddress();
  const listSites = () => call("GET", "/api/sites", { token, ip });
  // 600 is the limit of DEFAULT_LIMIT.
  const statuses = await Promise.all(Array.from({ length: 600 }, async () => (await listSites()).status));
  expect(new Set(statuses)).toEqual(new Set([200]));
  const [statement] = await recordStatements(async () => expect((await listSites()).status).toBe(429));
  expect(statement).toContain("access_tokens");
  expect(statement).not.toContain("sites");
});
