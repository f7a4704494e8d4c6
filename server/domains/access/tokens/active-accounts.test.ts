import { expect, it } from "vitest";
import { HOUR } from "@/server/core/time";
import { prisma } from "@/server/infrastructure/database/client";
import { makeSignedInUser, makeToken, makeUser } from "@/server/testing/factories";
import { startTestServer } from "@/server/testing/server";
import { sampleActivityJob } from "./jobs";

const { get } = await startTestServer();
const PATH = "/api/admin/users/active/series";

it("counts accounts by the last use of their tokens, once an hour, and deletes counts after 400 days", async () => {
  const addUsedToken = async (userId: number, hoursAgo: number) => {
    await makeToken(userId);
    const { id } = await prisma().accessToken.findFirstOrThrow({
      where: { userId },
      orderBy: { id: "desc" },
    });
    await prisma().accessToken.update({
      where: { id },
      data: { lastUsedAt: new Date(Date.now() - hoursAgo * HOUR) },
    });
  };
  const [active, idle] = [await makeUser(), await makeUser()];
  await addUsedToken(active.id, 1);
  await addUsedToken(active.id, 23);
  await addUsedToken(idle.id, 25);
  await makeToken((await makeUser()).id);
  await prisma().activitySample.createMany({
    data: [401, 399].map((days) => ({ at: new Date(Date.now() - days * 24 * HOUR), accounts: 7 })),
  });
  await sampleActivityJob();
  await addUsedToken(idle.id, 0);
  await sampleActivityJob();
  const samples = await prisma().activitySample.findMany({ orderBy: { at: "asc" } });
  expect(samples.map(({ accounts }) => accounts)).toEqual([7, 1]);
  expect(samples[1]!.at.getTime() % HOUR).toBe(0);
});

it("has the last count of each day, nothing where none was made, and the last known one as total", async () => {
  const { token } = await makeSignedInUser({ role: "admin" });
  await prisma().activitySample.createMany({
    data: [
      ["2026-02-27T21:00:00Z", 3],
      ["2026-03-02T08:00:00Z", 5],
      ["2026-03-02T22:00:00Z", 4],
      ["2026-03-04T01:00:00Z", 6],
    ].map(([at, accounts]) => ({ at: new Date(at as string), accounts: accounts as number })),
  });
  const { json } = await get(`${PATH}?from=2026-03-02&to=2026-03-05&time_zone=UTC&compare=previous`, token);
  expect(json.data.lines).toMatchObject([
    {
      ...{ key: "active", is_level: true, values: [4, null, 6, null], total: 6 },
      ...{ previous_values: [null, 3, null, null], previous_total: 3 },
    },
  ]);
});

it("refuses everyone but administrators", async () => {
  expect((await get(PATH, (await makeSignedInUser({ role: "reseller" })).token)).status).toBe(403);
});
