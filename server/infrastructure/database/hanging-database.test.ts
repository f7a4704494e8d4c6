import { afterEach, expect, it } from "vitest";
import { env } from "@/server/core/env";
import { countByStatus, runConcurrently } from "@/server/testing/burst";
import { makeToken, makeUser } from "@/server/testing/factories";
import { openProxy } from "@/server/testing/proxy";
import { startTestServer } from "@/server/testing/server";
import { closeDatabase, openDatabase, pool, prisma } from "./client";
import { withStatementTimeout } from "./statement-timeout";
import { inTransaction } from "./transaction";

const { call, get, post } = await startTestServer({ env: { DATABASE_TIMEOUT: "6" } });
const users = await runConcurrently(4, async () => {
  const { id, email } = await makeUser();
  return { id, email, token: await makeToken(id) };
});
await closeDatabase();
const proxy = await openProxy(env().DATABASE_URL!);
openDatabase(proxy.url);
afterEach(proxy.thaw);

const requestUser = (index: number) => get("/api/user", users[index % users.length]!.token);

it("fails requests with 503 while PostgreSQL hangs, and discards the connections", async () => {
  expect(countByStatus(await runConcurrently(40, requestUser))).toEqual({ 200: 40 });
  proxy.freeze();
  const responses = await runConcurrently(40, (index) => {
    const { token, email } = users[index % users.length]!;
    if (index % 4 === 0) return post("/api/auth/login", { email, password: "correct-horse" });
    if (index % 4 === 1) return call("PUT", "/api/auth/profile", { token, body: { name: "New Name" } });
    return requestUser(index);
  });
  expect(countByStatus(responses)).toEqual({ 503: 40 });
  const health = await get("/api/health");
  expect(health).toMatchObject({ status: 503, json: { checks: { database: { ok: false } } } });
  proxy.thaw();
  await expect.poll(async () => (await requestUser(0)).status, { timeout: 60_000 }).toBe(200);
  const recoveredResponses = await runConcurrently(40, requestUser);
  // A kept connection would give one request the late response to another.
  expect(recoveredResponses.map(({ json }) => json.user?.id)).toEqual(
    recoveredResponses.map((_, index) => users[index % users.length]!.id),
  );
});

it("rolls back a transaction when PostgreSQL hangs", async () => {
  const { id } = users[0]!;
  const transaction = inTransaction(async ({ db }) => {
    await db.user.update({ where: { id }, data: { name: "Half done" }, select: { id: true } });
    proxy.freeze();
    await db.user.findFirst({ where: { id }, select: { id: true } });
  });
  await expect(transaction).rejects.toThrow();
  proxy.thaw();
  const readName = () => prisma().user.findFirst({ where: { id }, select: { name: true } });
  await expect.poll(() => readName().catch(() => null), { timeout: 60_000 }).toBeTruthy();
  expect((await readName())?.name).not.toBe("Half done");
});

it("allows a job's statement more time than a request's", async () => {
  // Eight seconds are more than DATABASE_TIMEOUT at the top.
  const sleepInDatabase = () => pool().query("select pg_sleep(8)");
  const job = withStatementTimeout(60_000, sleepInDatabase);
  await expect(sleepInDatabase()).rejects.toThrow("did not respond");
  expect((await job).rowCount).toBe(1);
});
