import { describe, expect, it, vi } from "vitest";
import { lanes, pool, prisma } from "@/server/infrastructure/database/client";
import { statementsOn } from "@/server/infrastructure/database/statement";
import { outside } from "@/server/infrastructure/database/transaction";
import { digest, isToken, newToken } from "@/server/infrastructure/secrets/tokens";
import { burst, tally } from "@/server/testing/burst";
import { makePerson, makeSubscription, makeToken, makeUser } from "@/server/testing/factories";
import { testServer } from "@/server/testing/server";
import { forgetTokensJob } from "./jobs";
import { exchangeForSession, SIGN_IN_LIFE } from "./service/tokens";

const { get, post, call } = await testServer();
const rowOf = (token: string) =>
  prisma().accessToken.findUnique({ where: { tokenHash: Uint8Array.from(digest(token)) } });
const change = (token: string, data: object) =>
  prisma().accessToken.update({ where: { tokenHash: Uint8Array.from(digest(token)) }, data });
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

/** The request does not wait for the update of the last use. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 1000));

describe("the token itself", () => {
  it("is never the same twice, carries a checksum and is stored as a digest only", async () => {
    const tokens = Array.from({ length: 2000 }, () => newToken("dsu"));
    expect(new Set(tokens).size).toBe(2000);
    expect(tokens.every((token) => isToken(token, "dsu") && !isToken(token, "dss"))).toBe(true);
    const spoiled = tokens.map((token, index) => {
      const at = 4 + (index % 49);
      return token.slice(0, at) + (token[at] === "x" ? "y" : "x") + token.slice(at + 1);
    });
    expect(spoiled.filter((token) => isToken(token, "dsu"))).toEqual([]);
    const token = await makeToken((await makeUser()).id);
    const { rows } = await pool().query("select * from access_tokens");
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  it("with a wrong checksum is refused without a query", async () => {
    const token = newToken("dsu");
    const spoiled = token.slice(0, 10) + (token[10] === "x" ? "y" : "x") + token.slice(11);
    const asked = [vi.spyOn(lanes(), "query"), vi.spyOn(pool(), "query")];
    const times = () => asked.reduce((sum, { mock }) => sum + mock.calls.length, 0);
    try {
      expect((await get("/api/auth/user", spoiled)).status).toBe(401);
      expect(times()).toBe(0);
      expect((await get("/api/auth/user", token)).status).toBe(401);
      expect(times()).toBe(1);
    } finally {
      for (const spy of asked) spy.mockRestore();
    }
  });
});

describe("life", () => {
  it("is noted as used once a minute, and slides to 30 days from then", async () => {
    const token = await makeToken((await makeUser()).id, { expiresAt: new Date(Date.now() + 60_000) });
    expect((await get("/api/user", token)).status).toBe(200);
    await settled();
    const first = (await rowOf(token))!;
    expect(Math.abs(first.expiresAt.getTime() - Date.now() - SIGN_IN_LIFE)).toBeLessThan(10_000);
    await burst(20, () => get("/api/user", token));
    await settled();
    expect((await rowOf(token))!.lastUsedAt).toEqual(first.lastUsedAt);
    await change(token, { lastUsedAt: minutesAgo(2) });
    await get("/api/user", token);
    await settled();
    expect((await rowOf(token))!.lastUsedAt!.getTime()).toBeGreaterThan(minutesAgo(1).getTime());
  });

  it("ends 180 days after the sign-in, however often it is used", async () => {
    const token = await makeToken((await makeUser()).id);
    const days = (count: number) => minutesAgo(count * 24 * 60);
    await change(token, { createdAt: days(170) });
    expect((await get("/api/user", token)).status).toBe(200);
    await settled();
    const left = (await rowOf(token))!.expiresAt.getTime() - Date.now();
    expect(Math.abs(left - 10 * 24 * 3_600_000)).toBeLessThan(10_000);
    await change(token, { createdAt: days(181), lastUsedAt: minutesAgo(2) });
    await get("/api/user", token);
    await settled();
    expect((await get("/api/user", token)).status).toBe(401);
  });

  it("is shared by 200 sign-ins of an account: a further one ends the least recently used", async () => {
    const { token: key, ...user } = await makePerson();
    await change(key, { kind: "api_key", createdAt: minutesAgo(9999) });
    await prisma().accessToken.createMany({
      data: Array.from({ length: 200 }, (_, index) => ({
        userId: user.id,
        kind: index % 2 ? ("session" as const) : ("sign_in" as const),
        name: String(index),
        tokenHash: Uint8Array.from(digest(`${user.id}-${index}`)),
        lastFour: "abcd",
        createdAt: minutesAgo(1000 - index),
        // The first is the oldest, but was used since.
        lastUsedAt: index === 0 ? minutesAgo(1) : null,
        expiresAt: new Date(Date.now() + 3_600_000),
      })),
    });
    const login = () => post("/api/auth/login", { email: user.email, password: "correct-horse" });
    expect(tally(await burst(3, login))).toEqual({ 200: 3 });
    const rows = await prisma().accessToken.findMany({
      where: { userId: user.id, kind: { not: "api_key" } },
      orderBy: { id: "asc" },
      select: { name: true },
    });
    const made = ["0", ...Array.from({ length: 196 }, (_, index) => String(index + 4))];
    expect(rows.map(({ name }) => name)).toEqual([...made, "sign-in", "sign-in", "sign-in"]);
    expect((await get("/api/user", key)).status).toBe(200);
  });

  it("is written once by a burst of first uses", async () => {
    const token = await makeToken((await makeUser()).id);
    const id = (await rowOf(token))!.id;
    await pool().query(`create table touches (id int);
      create function note_touch() returns trigger language plpgsql as 'begin insert into touches values (new.id); return new; end';
      create trigger note_touch after update on access_tokens for each row execute function note_touch()`);
    await burst(50, () => get("/api/user", token));
    await settled();
    const { rows } = await pool().query("select count(*)::int as count from touches where id = $1", [id]);
    await pool().query("drop table touches cascade; drop function note_touch cascade");
    expect(rows[0].count).toBe(1);
  });

  it("does not slide for a key of the panel, and ends for all", async () => {
    const token = await makeToken((await makeUser()).id);
    const expiresAt = new Date(Date.now() + 3_600_000);
    await change(token, { kind: "api_key", expiresAt });
    expect((await get("/api/user", token)).status).toBe(200);
    await settled();
    expect((await rowOf(token))!.expiresAt).toEqual(expiresAt);
    await change(token, { expiresAt: minutesAgo(0) });
    expect((await get("/api/user", token)).text).toBe('{"message":"Unauthenticated."}');
    await change(token, { expiresAt: minutesAgo(2 * 24 * 60) });
    await forgetTokensJob();
    expect(await rowOf(token)).toBeNull();
  });

  it("ends at once with logout, for this token only", async () => {
    const { id } = await makeUser();
    const [token, other] = [await makeToken(id), await makeToken(id)];
    const { status, json } = await post("/api/auth/logout", undefined, { token });
    expect({ status, json }).toEqual({ status: 200, json: { success: true, message: expect.any(String) } });
    expect(tally(await burst(50, () => get("/api/user", token)))).toEqual({ 401: 50 });
    expect((await get("/api/user", other)).status).toBe(200);
    expect((await post("/api/auth/logout", undefined, { token })).status).toBe(401);
  });

  it("is refused while the account is passive, and follows its role at once", async () => {
    const { token, ...user } = await makePerson({ role: "admin" });
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
    const reader = await makeToken(id, { abilities: ["read"] });
    const writer = await makeToken(id, { abilities: ["sites:write"] });
    const nothing = await makeToken(id, { abilities: [] });
    const site = { name: "A", domain: "abilities.example.com" };
    const forbidden = '{"message":"This action is unauthorized."}';
    for (const token of [reader, nothing])
      expect((await post("/api/sites", site, { token })).text).toBe(forbidden);
    expect((await post("/api/sites", site, { token: writer })).status).toBe(201);
    expect((await get("/api/sites", writer)).text).toBe(forbidden);
    expect((await get("/api/sites", nothing)).status).toBe(403);
    expect((await get("/api/sites", reader)).status).toBe(200);
    expect((await call("PUT", "/api/user/locale", { token: reader, body: { locale: "de" } })).status).toBe(
      403,
    );
  });
});

describe("a proof of identity", () => {
  const make = (token: string) => post("/api/user/tokens", { name: "CI" }, { token });

  it("is good for ten minutes", async () => {
    const token = await makeToken((await makeUser()).id, { provenAt: minutesAgo(9) });
    expect((await make(token)).status).toBe(201);
    await change(token, { provenAt: minutesAgo(11) });
    const { status, json } = await make(token);
    expect({ status, requires_identity: json.requires_identity }).toEqual({
      status: 403,
      requires_identity: true,
    });
  });

  it("is asked for in the ways that the account has; a factor that nobody confirmed is none", async () => {
    const { id, token } = await makePerson();
    await prisma().factor.create({ data: { userId: id, kind: "email" } });
    expect((await make(token)).json.methods).toEqual(["password"]);
    await prisma().factor.updateMany({ where: { userId: id }, data: { confirmedAt: new Date() } });
    expect((await make(token)).json.methods).toEqual(["email"]);
  });
});

describe("what is listed and ended by its id", () => {
  const remove = (path: string, token: string) => call("DELETE", path, { token });
  const statusOf = async (token: string) => (await get("/api/user", token)).status;
  /** An account with two sign-ins, a key, and a key and a sign-in that have expired. */
  async function person() {
    const { id } = await makeUser();
    const [here, there, key] = [await makeToken(id), await makeToken(id), await makeToken(id)];
    const expired = [await makeToken(id), await makeToken(id)];
    for (const token of [key, expired[0]!]) await change(token, { kind: "api_key" });
    for (const token of expired) await change(token, { expiresAt: minutesAgo(1) });
    const idOf = async (token: string) => (await rowOf(token))!.id;
    return { here, there, key, hereId: await idOf(here), thereId: await idOf(there), keyId: await idOf(key) };
  }
  const ids = (rows: Array<{ id: number }>) => rows.map(({ id }) => id).sort((a, b) => a - b);

  it("are one's own keys, and they only", async () => {
    const [who, stranger] = [await person(), await person()];
    expect(ids((await get("/api/user/tokens", who.here)).json.tokens)).toEqual([who.keyId]);
    expect((await remove(`/api/user/tokens/${who.keyId}`, stranger.here)).status).toBe(403);
    expect((await remove(`/api/user/tokens/${who.thereId}`, who.here)).status).toBe(404);
    expect([await statusOf(who.key), await statusOf(who.there)]).toEqual([200, 200]);
    expect((await remove(`/api/user/tokens/${who.keyId}`, who.here)).status).toBe(200);
    expect([await statusOf(who.key), await statusOf(who.here), await statusOf(stranger.key)]).toEqual([
      401, 200, 200,
    ]);
  });

  it("are read page by page, newest first", async () => {
    const { id, token: reader } = await makePerson();
    const made: number[] = [];
    for (let number = 0; number < 5; number++) {
      const key = await makeToken(id);
      await change(key, { kind: "api_key" });
      made.unshift((await rowOf(key))!.id);
    }
    const pages = ["", "?per_page=2", "?per_page=2&page=3", "?per_page=2&page=4"];
    const seen = await Promise.all(
      pages.map(async (query) => (await get(`/api/user/tokens${query}`, reader)).json),
    );
    expect(seen.map(({ data }) => data.map(({ id }: { id: number }) => id))).toEqual([
      made,
      made.slice(0, 2),
      made.slice(4),
      [],
    ]);
    expect(seen.map(({ count, meta }) => [count, meta])).toEqual([
      [5, { page: 1, per_page: 50, total: 5 }],
      [2, { page: 1, per_page: 2, total: 5 }],
      [1, { page: 3, per_page: 2, total: 5 }],
      [0, { page: 4, per_page: 2, total: 5 }],
    ]);
  });

  it("are one's own sign-ins, and they only", async () => {
    const [who, stranger] = [await person(), await person()];
    expect(ids((await get("/api/profile/sessions", who.here)).json.sessions)).toEqual([
      who.hereId,
      who.thereId,
    ]);
    expect((await remove(`/api/profile/sessions/${who.thereId}`, stranger.here)).status).toBe(403);
    expect((await remove(`/api/profile/sessions/${who.keyId}`, who.here)).status).toBe(404);
    expect([await statusOf(who.key), await statusOf(who.there)]).toEqual([200, 200]);
    expect((await remove(`/api/profile/sessions/${who.thereId}`, who.here)).status).toBe(200);
    expect([await statusOf(who.there), await statusOf(who.here)]).toEqual([401, 200]);
  });

  it("are all other sign-ins at once, without keys and other people's", async () => {
    const [who, stranger] = [await person(), await person()];
    expect((await remove("/api/profile/sessions", who.here)).status).toBe(200);
    const left = await Promise.all([who.here, who.there, who.key, stranger.here, stranger.key].map(statusOf));
    expect(left).toEqual([200, 401, 200, 200, 200]);
  });
});

describe("the panel's session", () => {
  it("is got once for a fresh token, which dies with it", async () => {
    for (let round = 0; round < 5; round++) {
      const { id, token } = await makePerson();
      const results = await burst(50, () => exchangeForSession(outside(), token));
      const won = results.filter((result) => result !== null);
      expect(won).toEqual([{ userId: id, secret: expect.stringMatching(/^dss_/) }]);
      expect((await get("/api/user", token)).status).toBe(401);
      expect((await get("/api/user", won[0]!.secret)).status).toBe(401);
    }
  });

  it("is not got for a token that is old, expired, a key, a session or nobody's", async () => {
    const { id } = await makeUser();
    const sql = statementsOn(pool());
    for (const data of [
      { createdAt: minutesAgo(3) },
      { expiresAt: minutesAgo(1) },
      { kind: "api_key" },
      { kind: "session" },
    ]) {
      const token = await makeToken(id);
      await change(token, data);
      expect(await exchangeForSession({ sql }, token)).toBeNull();
    }
    expect(await exchangeForSession({ sql }, newToken("dsu"))).toBeNull();
  });
});
