import { beforeEach, expect, it } from "vitest";
import { countRequest, readRequestTotals } from "@/server/core/metrics";
import type { Sql } from "@/server/core/sql";
import { MINUTE } from "@/server/core/time";
import { pool, prisma } from "@/server/infrastructure/database/client";
import { startTestServer } from "@/server/testing/server";
import { createSqlTag } from "./database/statement";
import { RequestStats } from "./request-stats";

await startTestServer();
const SLOT = Date.parse("2026-03-02T09:05:00Z");
beforeEach(() => prisma().requestStat.deleteMany());

/** All tests share the counters of this process, so each writes the earlier requests first. */
async function createStats(sql?: Sql): Promise<RequestStats> {
  const stats = new RequestStats(sql);
  await stats.write(0);
  await prisma().requestStat.deleteMany();
  return stats;
}
const readRows = () => prisma().requestStat.findMany({ orderBy: { at: "asc" } });
const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);

it("adds requests by outcome and duration to the five minutes of the write, once", async () => {
  const stats = await createStats();
  for (const [status, durationMs] of [
    [200, 1],
    [302, 30],
    [404, 30],
    [429, 1],
    [503, 9000],
  ] as const)
    countRequest("listSites", status, durationMs);
  await stats.write(SLOT + 4 * MINUTE);
  await stats.write(SLOT + 4 * MINUTE);
  const durations = [2, 0, 0, 0, 2, 0, 0, 0, 0, 0, 1];
  expect(await readRows()).toEqual([
    { at: new Date(SLOT), succeeded: 2, rejected: 1, throttled: 1, failed: 1, durations },
  ]);
  countRequest("listSites", 200, 1);
  await stats.write(SLOT + 5 * MINUTE);
  expect((await readRows()).map(({ succeeded }) => succeeded)).toEqual([2, 1]);
});

it("adds up the requests of processes that write at the same time", async () => {
  // Both see the counters of this process, as two processes with the same requests would.
  const processes = [await createStats(), await createStats(), await createStats()];
  for (let request = 0; request < 5; request++) countRequest("listSites", 200, 1);
  await Promise.all(processes.map((stats) => stats.write(SLOT)));
  const [row, ...others] = await readRows();
  expect(others).toEqual([]);
  expect(row).toMatchObject({ succeeded: 15, failed: 0 });
  expect(sum(row!.durations)).toBe(15);
});

it("adds the requests of a failed write with the next one", async () => {
  let isDown = false;
  const database = createSqlTag({
    query: (query) => (isDown ? Promise.reject(new Error("connection refused")) : pool().query(query)),
  });
  const stats = await createStats(database);
  isDown = true;
  countRequest("listSites", 200, 1);
  await stats.write(SLOT);
  expect(await readRows()).toEqual([]);
  isDown = false;
  countRequest("listSites", 500, 1);
  await stats.write(SLOT + 5 * MINUTE);
  expect(await readRows()).toMatchObject([{ at: new Date(SLOT + 5 * MINUTE), succeeded: 1, failed: 1 }]);
});

it("writes what is left when the process stops, and adds to that after a restart", async () => {
  const stats = await createStats();
  stats.start();
  countRequest("listSites", 200, 1);
  await stats.stop();
  const [written] = await readRows();
  expect(written).toMatchObject({ succeeded: 1 });
  // The counters of a new process start at zero; here, they still have the requests of all tests.
  const { durations } = await readRequestTotals();
  await new RequestStats().write(written!.at.getTime());
  const [row] = await readRows();
  expect(sum(row!.durations)).toBe(1 + sum(durations));
});
