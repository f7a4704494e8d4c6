import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { afterAll, expect, it } from "vitest";
import { pool } from "@/server/infrastructure/database/client";
import { countByStatus } from "@/server/testing/burst";
import { makeUser } from "@/server/testing/factories";
import { startTestServer } from "@/server/testing/server";
import { connectLimiter } from "./limiter";

/** Fake Redis that accepts connections but never responds. */
const silentRedis = createServer(() => {});
await new Promise<void>((resolve) => silentRedis.listen(0, "127.0.0.1", resolve));
const { port } = silentRedis.address() as AddressInfo;
afterAll(() => void silentRedis.close());

const { post, get } = await startTestServer({ env: { REDIS_URL: `redis://127.0.0.1:${port}` } });

async function expectSignIn(): Promise<void> {
  const { email } = await makeUser();
  const { status } = await post("/api/auth/login", { email, password: "correct-horse" });
  expect(status).toBe(200);
}

it("starts, signs in and counts while Redis hangs or is down, and reports it", async () => {
  await connectLimiter();
  await expectSignIn();
  const health = await get("/api/health");
  expect(health.status).toBe(503);
  expect(health.json.checks.redis).toEqual({ ok: false, detail: "away, PostgreSQL and each server count" });
  expect(health.json.checks.database.ok).toBe(true);
  silentRedis.close();
  await expectSignIn();
  const responses = [];
  for (let index = 0; index < 7; index++)
    responses.push(
      await post("/api/auth/forgot-password", { email: "x@example.com" }, { ip: "198.51.100.7" }),
    );
  // The limit of `forgotPassword` is five calls per address.
  expect(countByStatus(responses)).toEqual({ 200: 5, 429: 2 });
  const countedRowsQuery = "select 1 from rate_limits where key like 'op:forgotPassword:%'";
  expect((await pool().query(countedRowsQuery)).rowCount).toBe(1);
  expect((await get("/api/health/ready")).status).toBe(200);
});
