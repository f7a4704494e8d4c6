import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { afterAll, expect, it } from "vitest";
import { pool } from "@/server/infrastructure/database/client";
import { countByStatus } from "@/server/testing/burst";
import { makeUser } from "@/server/testing/factories";
import { testServer } from "@/server/testing/server";
import { connectLimiter } from "./limiter";

/** Fake Redis that accepts connections but never responds. */
const silent = createServer(() => {});
await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
const { port } = silent.address() as AddressInfo;
afterAll(() => void silent.close());

const { post, get } = await testServer({ env: { REDIS_URL: `redis://127.0.0.1:${port}` } });

async function signsIn(): Promise<void> {
  const { email } = await makeUser();
  const { status } = await post("/api/auth/login", { email, password: "correct-horse" });
  expect(status).toBe(200);
}

it("starts, signs in and counts while Redis hangs or is down, and reports it", async () => {
  await connectLimiter();
  await signsIn();
  const health = await get("/api/health");
  expect(health.status).toBe(503);
  expect(health.json.checks.redis).toEqual({ ok: false, detail: "away, PostgreSQL and each server count" });
  expect(health.json.checks.database.ok).toBe(true);
  silent.close();
  await signsIn();
  const tries = [];
  for (let index = 0; index < 7; index++)
    tries.push(await post("/api/auth/forgot-password", { email: "x@example.com" }, { ip: "198.51.100.7" }));
  expect(countByStatus(tries)).toEqual({ 200: 5, 429: 2 });
  const counted = "select 1 from rate_limits where key like 'op:forgotPassword:%'";
  expect((await pool().query(counted)).rowCount).toBe(1);
  expect((await get("/api/health/ready")).status).toBe(200);
});
