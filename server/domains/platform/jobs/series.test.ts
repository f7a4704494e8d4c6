import { expect, it } from "vitest";
import { prisma } from "@/server/infrastructure/database/client";
import { makeSignedInUser } from "@/server/testing/factories";
import { startTestServer } from "@/server/testing/server";

const { get } = await startTestServer();
const { token } = await makeSignedInUser({ role: "admin" });
const PATH = "/api/admin/jobs/series?from=2026-03-02&to=2026-03-04&time_zone=UTC&compare=previous";

await prisma().jobStat.createMany({
  data: (
    [
      ["deliver_mail", "2026-03-02T09:15:00Z", 4, 1, 400, 250],
      ["deliver_mail", "2026-03-02T23:45:00Z", 1, 0, 1100, 1100],
      ["fold_users", "2026-03-04T00:00:00Z", 2, 2, 60, 40],
      ["fold_users", "2026-02-28T00:00:00Z", 1, 0, 9000, 9000],
      ["fold_users", "2026-03-05T00:00:00Z", 1, 1, 50_000, 50_000],
    ] as const
  ).map(([task, hour, runs, failures, msSum, msMax]) => ({
    ...{ task, hour: new Date(hour), runs, failures, msSum, msMax },
  })),
});

it("counts runs by outcome, and computes durations over all runs, not over averages", async () => {
  expect((await get(PATH, token)).json.data.lines).toMatchObject([
    { key: "succeeded", values: [4, 0, 0], total: 4, previous_total: 1 },
    { key: "failed", values: [1, 0, 2], total: 3, previous_total: 0 },
    { key: "average_ms", values: [300, null, 30], total: Math.round(1560 / 7), previous_total: 9000 },
    { key: "longest_ms", values: [1100, null, 40], total: 1100, previous_values: [null, 9000, null] },
  ]);
});

it("reads one task, and none for a name that no task has", async () => {
  const readTask = async (task: string) => (await get(`${PATH}&task=${task}`, token)).json.data.lines;
  expect(await readTask("fold_users")).toMatchObject([
    { values: [0, 0, 0] },
    { values: [0, 0, 2] },
    { values: [null, null, 30] },
    { values: [null, null, 40] },
  ]);
  expect((await readTask("fold"))[3]).toMatchObject({ values: [null, null, null], total: null });
});

it("refuses everyone but administrators", async () => {
  expect((await get(PATH, (await makeSignedInUser({ role: "reseller" })).token)).status).toBe(403);
});
