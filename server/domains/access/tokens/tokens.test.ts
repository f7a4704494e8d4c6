import { describe, expect, it, onTestFinished, vi } from "vitest";
import { getReadLanes, pool, prisma } from "@/server/infrastructure/database/client";
import { createSqlTag } from "@/server/infrastructure/database/statement";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { createToken, hashSecret, isWellFormedToken } from "@/server/infrastructure/secrets/tokens";
import { countByStatus, runConcurrently } from "@/server/testing/burst";
import { makeSignedInUser, makeSubscription, makeToken, makeUser } from "@/server/testing/factories";
import { startTestServer } from "@/server/testing/server";
import { deleteExpiredTokensJob } from "./jobs";
import { exchangeForSession, SIGN_IN_LIFETIME_MS } from "./service/tokens";

const { get, post, call } = await startTestServer();
const findTokenRow = (token: string) =>
  prisma().accessToken.findUnique({ where: { tokenHash: Uint8Array.from(hashSecret(token)) } });
const updateToken = (token: string, data: object) =>
  prisma().accessToken.update({ where: { tokenHash: Uint8Array.from(hashSecret(token)) }, data });
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

/** The server records the last use after the response. Returns the token's row. */
const waitForUse = (token: string, after = new Date(0)) =>
  vi.waitFor(
    async () => {
      const row = (await findTokenRow(token))!;
      expect(row.lastUsedAt?.getTime() ?? 0).toBeGreaterThan(after.getTime());
      return row;
    },
    { timeout: 10_000 },
  );
/** Waits until earlier uses would have been recorded. */
async function waitForEarlierUses(): Promise<void> {
  const token = await makeToken((await makeUser()).id);
  await get("/api/user", token);
  await waitForUse(token);
}

describe("a token", () => {
  it("is unique, has a checksum and is stored as a digest", async () => {
    const tokens = Array.from({ length: 2000 }, () => createToken("dsu"));
    expect(new Set(tokens).size).toBe(2000);
    expect(tokens.every((token) => isWellFormedToken(token, "dsu") && !isWellFormedToken(token, "dss"))).toBe(
      true,
    );
    const malformedTokens = tokens.map((token, index) => {
      const position = 4 + (index % 49);
      return token.slice(0, position) + (token[position] === "x" ? "y" : "x") + token.slice(position + 1);
    });
    expect(malformedTokens.filter((token) => isWellFormedToken(token, "dsu"))).toEqual([]);
    const token = await makeToken((await makeUser()).id);
    const { rows } = await pool().query("select * from access_tokens");
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  it("with a wrong checksum is refused without a query", async () => {
    const token = createToken("dsu");
    const malformedToken = token.slice(0, 10) + (token[10] === "x" ? "y" : "x") + token.slice(11);
    const spies = [vi.spyOn(getReadLanes(), "query"), vi.spyOn(pool(), "query")];
    const countQueries = () => spies.reduce((sum, { mock }) => sum + mock.calls.length, 0);
    try {
      expect((await get("/api/auth/user", malformedToken)).status).toBe(401);
      expect(countQueries()).toBe(0);
      expect((await get("/api/auth/user", token)).status).toBe(401);
      expect(countQueries()).toBe(1);
    } finally {
      for (const spy of spies) spy.mockRestore();
    }
  });
});

describe("a token in use", () => {
  it("is valid for 30 days from the last use, which is recorded once a minute", async () => {
    const token = await makeToken((await makeUser()).id, { expiresAt: new Date(Date.now() + 60_000) });
    expect((await get("/api/user", token)).status).toBe(200);
    const firstUse = await waitForUse(token);
    expect(Math.abs(firstUse.expiresAt.getTime() - Date.now() - SIGN_IN_LIFETIME_MS)).toBeLessThan(10_000);
    await runConcurrently(20, () => get("/api/user", token));
    await waitForEarlierUses();
    expect((await findTokenRow(token))!.lastUsedAt).toEqual(firstUse.lastUsedAt);
    await updateToken(token, { lastUsedAt: minutesAgo(2) });
    await get("/api/user", token);
    await waitForUse(token, minutesAgo(1));
  });

  it("ends 180 days after the sign-in, however often it is used", async () => {
    const token = await makeToken((await makeUser()).id);
    const daysAgo = (count: number) => minutesAgo(count * 24 * 60);
    await updateToken(token, { createdAt: daysAgo(170) });
    expect((await get("/api/user", token)).status).toBe(200);
    const remainingMs = (await waitForUse(token)).expiresAt.getTime() - Date.now();
    expect(Math.abs(remainingMs - 10 * 24 * 3_600_000)).toBeLessThan(10_000);
    await updateToken(token, { createdAt: daysAgo(181), lastUsedAt: minutesAgo(2) });
    await vi.waitFor(async () => expect((await get("/api/user", token)).status).toBe(401), {
      timeout: 10_000,
    });
  });

  it("ends when it is the least recently used of more than 200 sign-ins of an account", async () => {
    const { token: key, ...user } = await makeSignedInUser();
    await updateToken(key, { kind: "api_key", createdAt: minutesAgo(9999) });
    await prisma().accessToken.createMany({
      data: Array.from({ length: 200 }, (_, index) => ({
        userId: user.id,
        kind: index % 2 ? ("session" as const) : ("sign_in" as const),
        name: String(index),
        tokenHash: Uint8Array.from(hashSecret(`${user.id}-${index}`)),
        lastFour: "abcd",
        createdAt: minutesAgo(1000 - index),
        lastUsedAt: index === 0 ? minutesAgo(1) : null,
        expiresAt: new Date(Date.now() + 3_600_000),
      })),
    });
    const login = () => post("/api/auth/login", { email: user.email, password: "correct-horse" });
    expect(countByStatus(await runConcurrently(3, login))).toEqual({ 200: 3 });
    const rows = await prisma().accessToken.findMany({
      where: { userId: user.id, kind: { not: "api_key" } },
      orderBy: { id: "asc" },
      select: { name: true },
    });
    const remainingNames = ["0", ...Array.from({ length: 196 }, (_, index) => String(index + 4))];
    expect(rows.map(({ name }) => name)).toEqual([...remainingNames, "sign-in", "sign-in", "sign-in"]);
    expect((await get("/api/user", key)).status).toBe(200);
  });

  it("is updated once in a burst of first uses", async () => {
    const token = await makeToken((await makeUser()).id);
    const id = (await findTokenRow(token))!.id;
    await pool().query(`create table touches (id int);
      create function note_touch() returns trigger language plpgsql as 'begin insert into touches values (new.id); return new; end';
      create trigger note_touch after update on access_tokens for each row execute function note_touch()`);
    onTestFinished(async () => {
      await pool().query("drop table touches cascade; drop function note_touch cascade");
    });
    await runConcurrently(50, () => get("/api/user", token));
    await waitForUse(token);
    await waitForEarlierUses();
    const { rows } = await pool().query("select count(*)::int as count from touches where id = $1", [id]);
    expect(rows[0].count).toBe(1);
  });

  it("is not extended for an API key", async () => {
    const token = await makeToken((await makeUser()).id);
    const expiresAt = new Date(Date.now() + 3_600_000);
    await updateToken(token, { kind: "api_key", expiresAt });
    expect((await get("/api/user", token)).status).toBe(200);
    expect((await waitForUse(token)).expiresAt).toEqual(expiresAt);
    await updateToken(token, { expiresAt: minutesAgo(0) });
    expect((await get("/api/user", token)).text).toBe('{"message":"Unauthenticated."}');
    await updateToken(token, { expiresAt: minutesAgo(2 * 24 * 60) });
    await deleteExpiredTokensJob();
    expect(await findTokenRow(token)).toBeNull();
  });

  it("ends with logout, for this token only", async () => {
    const { id } = await makeUser();
    const [token, otherToken] = [await makeToken(id), await makeToken(id)];
    const { status, json } = await post("/api/auth/logout", undefined, { token });
    expect({ status, json }).toEqual({ status: 200, json: { success: true, message: expect.any(String) } });
    expect(countByStatus(await runConcurrently(50, () => get("/api/user", token)))).toEqual({ 401: 50 });
    expect((await get("/api/user", otherToken)).status).toBe(200);
    expect((await post("/api/auth/logout", undefined, { token })).status).toBe(401);
  });

  it("obeys a deactivation and a new role of its owner immediately", async () => {
    const { token, ...user } = await makeSignedInUser({ role: "admin" });
    await prisma().user.update({ where: { id: user.id }, data: { isActive: false } });
    const { status, json } = await get("/api/user", token);
    expect(status).toBe(403);
    expect(Object.keys(json)).toEqual(["success", "error"]);
    await prisma().user.update({ where: { id: user.id }, data: { isActive: true, role: "user" } });
    expect((await get("/api/user", token)).json.user.role).toBe("user");
  });
});

describe("abilities", () => {
  it("limit what a token may do", async () => {
    const { id } = await makeUser();
    await makeSubscription(id);
    const readToken = await makeToken(id, { abilities: ["read"] });
    const writeToken = await makeToken(id, { abilities: ["sites:write"] });
    const tokenWithoutAbilities = await makeToken(id, { abilities: [] });
    const site = { name: "A", domain: "abilities.example.com" };
    const forbiddenText = '{"message":"This action is unauthorized."}';
    for (const token of [readToken, tokenWithoutAbilities])
      expect((await post("/api/sites", site, { token })).text).toBe(forbiddenText);
    expect((await post("/api/sites", site, { token: writeToken })).status).toBe(201);
    expect((await get("/api/sites", writeToken)).text).toBe(forbiddenText);
    expect((await get("/api/sites", tokenWithoutAbilities)).status).toBe(403);
    expect((await get("/api/sites", readToken)).status).toBe(200);
    expect((await call("PUT", "/api/user/locale", { token: readToken, body: { locale: "de" } })).status).toBe(
      403,
    );
  });
});

describe("a proof of identity", () => {
  const createKey = (token: string) => post("/api/user/tokens", { name: "CI" }, { token });

  it("is valid for ten minutes", async () => {
    const token = await makeToken((await makeUser()).id, { provenAt: minutesAgo(9) });
    expect((await createKey(token)).status).toBe(201);
    await updateToken(token, { provenAt: minutesAgo(11) });
    const { status, json } = await createKey(token);
    expect({ status, requires_identity: json.requires_identity }).toEqual({
      status: 403,
      requires_identity: true,
    });
  });

  it("offers the account's methods, without unconfirmed factors", async () => {
    const { id, token } = await makeSignedInUser();
    await prisma().factor.create({ data: { userId: id, kind: "email" } });
    expect((await createKey(token)).json.methods).toEqual(["password"]);
    await prisma().factor.updateMany({ where: { userId: id }, data: { confirmedAt: new Date() } });
    expect((await createKey(token)).json.methods).toEqual(["email"]);
  });
});

describe("keys and sessions", () => {
  const sendDelete = (path: string, token: string) => call("DELETE", path, { token });
  const getStatus = async (token: string) => (await get("/api/user", token)).status;
  async function makeAccountWithTokens() {
    const { id } = await makeUser();
    const [current, other, key] = [await makeToken(id), await makeToken(id), await makeToken(id)];
    const expiredTokens = [await makeToken(id), await makeToken(id)];
    for (const token of [key, expiredTokens[0]!]) await updateToken(token, { kind: "api_key" });
    for (const token of expiredTokens) await updateToken(token, { expiresAt: minutesAgo(1) });
    const findTokenId = async (token: string) => (await findTokenRow(token))!.id;
    return {
      current,
      other,
      key,
      currentId: await findTokenId(current),
      otherId: await findTokenId(other),
      keyId: await findTokenId(key),
    };
  }
  const sortIds = (rows: Array<{ id: number }>) => rows.map(({ id }) => id).sort((a, b) => a - b);

  it("lists and revokes the caller's own keys only", async () => {
    const [owner, otherPerson] = [await makeAccountWithTokens(), await makeAccountWithTokens()];
    expect(sortIds((await get("/api/user/tokens", owner.current)).json.tokens)).toEqual([owner.keyId]);
    expect((await sendDelete(`/api/user/tokens/${owner.keyId}`, otherPerson.current)).status).toBe(403);
    expect((await sendDelete(`/api/user/tokens/${owner.otherId}`, owner.current)).status).toBe(404);
    expect([await getStatus(owner.key), await getStatus(owner.other)]).toEqual([200, 200]);
    expect((await sendDelete(`/api/user/tokens/${owner.keyId}`, owner.current)).status).toBe(200);
    expect([
      await getStatus(owner.key),
      await getStatus(owner.current),
      await getStatus(otherPerson.key),
    ]).toEqual([401, 200, 200]);
  });

  it("lists keys page by page, newest first", async () => {
    const { id, token: readerToken } = await makeSignedInUser();
    const keyIds: number[] = [];
    for (let index = 0; index < 5; index++) {
      const key = await makeToken(id);
      await updateToken(key, { kind: "api_key" });
      keyIds.unshift((await findTokenRow(key))!.id);
    }
    const pageQueries = ["", "?per_page=2", "?per_page=2&page=3", "?per_page=2&page=4"];
    const responses = await Promise.all(
      pageQueries.map(async (query) => (await get(`/api/user/tokens${query}`, readerToken)).json),
    );
    expect(responses.map(({ data }) => data.map(({ id }: { id: number }) => id))).toEqual([
      keyIds,
      keyIds.slice(0, 2),
      keyIds.slice(4),
      [],
    ]);
    expect(responses.map(({ count, meta }) => [count, meta])).toEqual([
      [5, { page: 1, per_page: 50, total: 5 }],
      [2, { page: 1, per_page: 2, total: 5 }],
      [1, { page: 3, per_page: 2, total: 5 }],
      [0, { page: 4, per_page: 2, total: 5 }],
    ]);
  });

  it("lists and ends the caller's own sessions only", async () => {
    const [owner, otherPerson] = [await makeAccountWithTokens(), await makeAccountWithTokens()];
    expect(sortIds((await get("/api/profile/sessions", owner.current)).json.sessions)).toEqual([
      owner.currentId,
      owner.otherId,
    ]);
    expect((await sendDelete(`/api/profile/sessions/${owner.otherId}`, otherPerson.current)).status).toBe(
      403,
    );
    expect((await sendDelete(`/api/profile/sessions/${owner.keyId}`, owner.current)).status).toBe(404);
    expect([await getStatus(owner.key), await getStatus(owner.other)]).toEqual([200, 200]);
    expect((await sendDelete(`/api/profile/sessions/${owner.otherId}`, owner.current)).status).toBe(200);
    expect([await getStatus(owner.other), await getStatus(owner.current)]).toEqual([401, 200]);
  });

  it("ends all other sessions, but no keys and no sessions of other accounts", async () => {
    const [owner, otherPerson] = [await makeAccountWithTokens(), await makeAccountWithTokens()];
    expect((await sendDelete("/api/profile/sessions", owner.current)).status).toBe(200);
    const statuses = await Promise.all(
      [owner.current, owner.other, owner.key, otherPerson.current, otherPerson.key].map(getStatus),
    );
    expect(statuses).toEqual([200, 401, 200, 200, 200]);
  });
});

describe("the panel's session", () => {
  it("is created once from a new sign-in token and replaces it", async () => {
    for (let round = 0; round < 5; round++) {
      const { id, token } = await makeSignedInUser();
      const results = await runConcurrently(50, () => exchangeForSession(withoutTransaction(), token));
      const sessions = results.filter((result) => result !== null);
      expect(sessions).toEqual([{ userId: id, secret: expect.stringMatching(/^dss_/) }]);
      expect((await get("/api/user", token)).status).toBe(401);
      expect((await get("/api/user", sessions[0]!.secret)).status).toBe(401);
    }
  });

  it("is not created from an old, expired or unknown token, a key or a session", async () => {
    const { id } = await makeUser();
    const sql = createSqlTag(pool());
    for (const data of [
      { createdAt: minutesAgo(3) },
      { expiresAt: minutesAgo(1) },
      { kind: "api_key" },
      { kind: "session" },
    ]) {
      const token = await makeToken(id);
      await updateToken(token, data);
      expect(await exchangeForSession({ sql }, token)).toBeNull();
    }
    expect(await exchangeForSession({ sql }, createToken("dsu"))).toBeNull();
  });
});
