import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDatabase } from "@/server/testing/database";
import { closeDatabase, prisma } from "../database/client";
import { withoutTransaction } from "../database/transaction";
import { consumePoints, type RateLimitCounter, resetCounter } from "./limiter";
import { consumeSequentially, resetAndReturnPoints } from "./sequential";

beforeAll(async () => void (await createTestDatabase()));
afterAll(closeDatabase);

const buildCounter = (name: string, points: number): RateLimitCounter => ({
  name,
  points,
  per: 900,
  isDocumented: true,
  limitsGuessing: true,
});
const [FIRST, SECOND, THIRD] = [
  buildCounter("first", 5),
  buildCounter("second", 12),
  buildCounter("third", 20),
];
const consumeAll = (first: string, second = "s", third = "t") =>
  consumeSequentially([FIRST, first], [SECOND, second], [THIRD, third]);
const readPoints = async (key: string) =>
  (await prisma().rateLimit.findUnique({ where: { key } }))?.points ?? 0;
const deleteCounters = () => prisma().rateLimit.deleteMany();

it("counts each counter only if the previous ones allow the call, exactly under concurrency", async () => {
  await deleteCounters();
  const calls = ["a", "b", "c"].flatMap((key) => Array.from({ length: 10 }, () => consumeAll(key)));
  const states = await Promise.all(calls);
  // Fifteen pass the first counter, five per key; twelve of them pass the second.
  expect(states.filter(([first]) => first!.allowed)).toHaveLength(15);
  expect(states.filter(([, second]) => second?.allowed)).toHaveLength(12);
  expect(states.filter((each) => each.length === 3)).toHaveLength(12);
  expect(await Promise.all(["first:a", "second:s", "third:t"].map(readPoints))).toEqual([10, 15, 12]);
  expect(states.filter((each) => each.at(-1)!.isFirstRejection)).toHaveLength(4);
});

it("shares its counters with the limiter", async () => {
  await deleteCounters();
  for (let time = 0; time < 3; time++) await consumePoints(FIRST, "x");
  const [state] = await consumeAll("x");
  expect(state).toMatchObject({ allowed: true, limit: 5, remaining: 1 });
  expect(state!.retryAfter).toBeGreaterThan(890);
  expect((await consumePoints(FIRST, "x")).remaining).toBe(0);
  expect((await consumeAll("x")).map(({ allowed }) => allowed)).toEqual([false]);
  await resetCounter(FIRST, "x");
  expect(await consumeAll("x")).toHaveLength(3);
});

it("starts a new window after the old one has ended", async () => {
  await deleteCounters();
  for (let time = 0; time < 7; time++) await consumeAll("old");
  await prisma().rateLimit.updateMany({ data: { expire: Date.now() - 1 } });
  const [first, second] = await consumeAll("old");
  expect([first!.remaining, second!.remaining]).toEqual([4, 11]);
});

it("resets one counter and returns a point to the others, never more than they had", async () => {
  await deleteCounters();
  for (let time = 0; time < 3; time++) await consumeAll("done");
  for (let time = 0; time < 5; time++)
    await resetAndReturnPoints(
      withoutTransaction(),
      [FIRST, "done"],
      [
        [SECOND, "s"],
        [THIRD, "t"],
      ],
    );
  expect(await Promise.all(["first:done", "second:s", "third:t"].map(readPoints))).toEqual([0, 0, 0]);
});

it("does not deadlock when 300 calls count and 300 reset the same keys", async () => {
  await deleteCounters();
  const [pair, address] = [buildCounter("pair", 1000), buildCounter("address", 1000)];
  const consumeOnce = () => consumeSequentially([pair, "same"], [address, "s"]);
  const resetOnce = () => resetAndReturnPoints(withoutTransaction(), [pair, "same"], [[address, "s"]]);
  const results = await Promise.allSettled(
    Array.from({ length: 600 }, (_, index) => (index % 2 ? consumeOnce() : resetOnce())),
  );
  expect(results.filter(({ status }) => status === "rejected")).toEqual([]);
});
