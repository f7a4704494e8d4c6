import { describe, expect, it, vi } from "vitest";
import { lanes, pool, prisma } from "@/server/infrastructure/database/client";
import { makeSite, makeToken, makeUser } from "@/server/testing/factories";
import { newAddress } from "@/server/testing/http";
import { testServer } from "@/server/testing/server";
import { handlers } from "./operations";

/* Reads whose output comes from the statement that finds the token. */

const { get, call } = await testServer();

const paths = handlers()
  .filter(({ outputSql }) => outputSql)
  .map(({ operation }) => operation.path);

/** Texts of the statements that some work runs, on whatever connection. */
async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const texts: string[] = [];
  const watch = (query: unknown) => {
    const given = (query as { text?: string }).text;
    texts.push(given ?? String(query));
  };
  const spies = [vi.spyOn(lanes(), "query"), vi.spyOn(pool(), "query"), vi.spyOn(pool(), "connect")];
  await work();
  for (const spy of spies) {
    for (const [query] of spy.mock.calls) watch(query);
    spy.mockRestore();
  }
  return texts;
}

/** Everybody that a site can belong to, or be seen by. */
async function everybody() {
  const reseller = await makeUser({ role: "reseller" });
  const owner = await makeUser({ resellerId: reseller.id });
  const sub = await makeUser({ parentUserId: owner.id });
  const site = await makeSite(owner.id);
  await makeSite(sub.id);
  const agent = await makeUser({ parentUserId: owner.id, isAgentOnly: true, assignedSiteId: site.id });
  const lost = await makeUser({ parentUserId: owner.id, isAgentOnly: true });
  const admin = await makeUser({ role: "admin" });
  return { reseller, owner, sub, agent, lost, admin, empty: await makeUser() };
}

it("are those that the bench measures", () => {
  expect(paths).toEqual(["/api/auth/user", "/api/user", "/api/sites"]);
});

describe.each(paths)("GET %s", (path) => {
  it("is the same for everybody as by the service alone", async () => {
    for (const [name, { id }] of Object.entries(await everybody())) {
      const token = await makeToken(id);
      const [together, apart] = [await get(path, token), await get(`${path}?`, token)];
      expect({ name, status: together.status, text: together.text }).toEqual({
        name,
        status: 200,
        text: apart.text,
      });
    }
  });

  it("is one statement", async () => {
    const token = await makeToken((await makeUser()).id);
    await get(path, token);
    // The use of the token has been noted by now.
    await vi.waitFor(async () => expect(await statementsOf(() => get(path, token))).toHaveLength(1), {
      timeout: 30_000,
    });
  });

  it("never follows an end: of the token, of the account, of a role", async () => {
    const user = await makeUser({ role: "admin" });
    await makeSite((await makeUser()).id);
    const token = await makeToken(user.id);
    const before = await get(path, token);
    await prisma().user.update({ where: { id: user.id }, data: { role: "user" } });
    if (path === "/api/sites") expect(before.json.data.length).toBeGreaterThan(0);
    const after = await get(path, token);
    expect(path === "/api/sites" ? after.json.data : after.json.user.role).toEqual(
      path === "/api/sites" ? [] : "user",
    );
    await prisma().user.update({ where: { id: user.id }, data: { isActive: false } });
    expect((await get(path, token)).status).toBe(403);
    await prisma().user.update({ where: { id: user.id }, data: { isActive: true } });
    await prisma().accessToken.deleteMany({ where: { userId: user.id } });
    expect((await get(path, token)).status).toBe(401);
  });

  it("needs the ability to read", async () => {
    const token = await makeToken((await makeUser()).id, { abilities: ["sites:write"] });
    expect((await get(path, token)).status).toBe(403);
  });
});

it("are not read any more for a caller beyond the limit", async () => {
  const token = await makeToken((await makeUser()).id);
  const ip = newAddress();
  const read = () => call("GET", "/api/sites", { token, ip });
  const statuses = await Promise.all(Array.from({ length: 600 }, async () => (await read()).status));
  expect(new Set(statuses)).toEqual(new Set([200]));
  const [text] = await statementsOf(async () => expect((await read()).status).toBe(429));
  expect(text).toContain("access_tokens");
  expect(text).not.toContain("sites");
});
