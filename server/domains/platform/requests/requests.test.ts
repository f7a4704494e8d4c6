import { expect, it } from "vitest";
import { REQUEST_DURATION_LIMITS } from "@/server/core/metrics";
import { DAY, fromNow } from "@/server/core/time";
import { prisma } from "@/server/infrastructure/database/client";
import { makeSignedInUser } from "@/server/testing/factories";
import { startTestServer } from "@/server/testing/server";
import { deleteRequestStatsJob } from "./jobs";
import { REQUEST_P95_MAX_MS } from "./policy";
import { estimateQuantileMs } from "./service/quantile";

const { get } = await startTestServer();
const PATH = "/api/admin/requests/series?from=2026-03-02&to=2026-03-04&time_zone=UTC&compare=previous";

/** Numbers of requests by the limit of their duration in seconds; 9 is longer than all limits. */
function toDurations(counts: Record<number, number>): number[] {
  return [...REQUEST_DURATION_LIMITS, 9].map((limit) => counts[limit] ?? 0);
}

it("estimates a quantile as Prometheus does", () => {
  const estimate = (counts: Record<number, number>) => estimateQuantileMs(0.95, toDurations(counts));
  expect(estimate({})).toBeNull();
  // All within the first limit: 95 % of the way from 0 to 2 ms.
  expect(estimate({ 0.002: 200 })).toBe(1.9);
  // The 95th of 100 is the fifth of ten between 50 and 100 ms.
  expect(estimate({ 0.05: 90, 0.1: 10 })).toBe(75);
  expect(estimate({ 0.05: 95, 0.1: 5 })).toBe(50);
  expect(estimate({ 0.05: 90, 9: 10 })).toBe(REQUEST_P95_MAX_MS);
});

it("counts requests by status, and takes the quantile of the total from all requests", async () => {
  const addRow = async (at: string, counts: [number, number, number, number], durations: number[]) => {
    const [succeeded, rejected, throttled, failed] = counts;
    await prisma().requestStat.create({
      data: { at: new Date(at), succeeded, rejected, throttled, failed, durations },
    });
  };
  await addRow("2026-03-02T09:00:00Z", [60, 20, 10, 0], toDurations({ 0.05: 90 }));
  await addRow("2026-03-02T09:05:00Z", [0, 0, 0, 10], toDurations({ 0.1: 10 }));
  await addRow("2026-03-04T09:00:00Z", [100, 0, 0, 0], toDurations({ 0.002: 100 }));
  await addRow("2026-02-28T09:00:00Z", [1, 0, 0, 0], toDurations({ 0.1: 1 }));
  await addRow("2026-03-05T09:00:00Z", [1, 1, 1, 1], toDurations({ 9: 4 }));
  const { token } = await makeSignedInUser({ role: "admin" });
  expect((await get(PATH, token)).json.data.lines).toMatchObject([
    { key: "succeeded", values: [60, 0, 100], total: 160, previous_total: 1 },
    { key: "rejected", values: [20, 0, 0], total: 20 },
    { key: "throttled", values: [10, 0, 0], total: 10 },
    { key: "failed", values: [10, 0, 0], total: 10, previous_total: 0 },
    // 190 of 200 in the whole period: all of those within 50 ms.
    { key: "p95_ms", values: [75, null, 1.9], total: 50, previous_values: [null, 97.5, null] },
  ]);
  expect((await get(PATH, (await makeSignedInUser()).token)).status).toBe(403);
});

it("deletes statistics after 90 days", async () => {
  await prisma().requestStat.deleteMany();
  const counts = { succeeded: 1, rejected: 0, throttled: 0, failed: 0, durations: [] };
  await prisma().requestStat.createMany({
    data: [91, 89].map((days) => ({ at: fromNow(-days * DAY), ...counts })),
  });
  await deleteRequestStatsJob();
  expect(await prisma().requestStat.count()).toBe(1);
});
