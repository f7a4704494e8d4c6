import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { closeDatabase } from "@/server/infrastructure/database/client";
import { createTestDatabase } from "@/server/testing/database";
import { closeLimiter, consumePoints, resetCounter, returnPoint, toIpBucket } from "./limiter";

beforeAll(async () => void (await createTestDatabase()));
afterAll(async () => {
  await closeLimiter();
  await closeDatabase();
});

it.each([true, false])("ignores points returned in a later window (durable: %s)", async (durable) => {
  const counter = { name: `late-${durable}`, points: 2, per: 3, isDocumented: true, durable };
  for (let call = 0; call < 2; call++) expect((await consumePoints(counter, "x")).allowed).toBe(true);
  await sleep(3100);
  for (let call = 0; call < 2; call++) expect((await returnPoint(counter, "x")).remaining).toBe(2);
  expect((await consumePoints(counter, "x")).allowed).toBe(true);
  expect((await consumePoints(counter, "x")).allowed).toBe(true);
  expect((await consumePoints(counter, "x")).allowed).toBe(false);
});

it("returns a point within its window", async () => {
  const counter = { name: "within", points: 1, per: 60, isDocumented: true, durable: true };
  expect((await consumePoints(counter, "x")).allowed).toBe(true);
  expect((await returnPoint(counter, "x")).remaining).toBe(1);
  expect((await consumePoints(counter, "x")).allowed).toBe(true);
});

it.each([
  ["203.0.113.7", "203.0.113.7"],
  ["::ffff:203.0.113.7", "203.0.113.7"],
  ["::ffff:cb00:7107", "203.0.113.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:DB8:1:2::", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["::203.0.113.7", "0:0:0:0::/64"],
  ["unknown", "unknown"],
  ["1:2:3", "1:2:3"],
  ["", ""],
])("counts %j as %j", (ip, bucket) => expect(toIpBucket(ip)).toBe(bucket));

it.each([true, false])("counts long keys separately (durable: %s)", async (durable) => {
  const counter = { name: `long-${durable}`, points: 1, per: 60, isDocumented: true, durable };
  const [firstKey, secondKey] = [`${"ö".repeat(2000)}1`, `${"ö".repeat(2000)}2`];
  expect((await consumePoints(counter, firstKey)).allowed).toBe(true);
  expect((await consumePoints(counter, firstKey)).allowed).toBe(false);
  expect((await consumePoints(counter, secondKey)).allowed).toBe(true);
  expect((await returnPoint(counter, secondKey)).remaining).toBe(1);
  await resetCounter(counter, firstKey);
  expect((await consumePoints(counter, firstKey)).allowed).toBe(true);
});
