import { expect, it } from "vitest";
import { DAY, fromNow } from "@/server/core/time";
import { prisma } from "@/server/infrastructure/database/client";
import { makeSignedInUser, makeToken, makeUser } from "@/server/testing/factories";
import { startTestServer } from "@/server/testing/server";

const { get } = await startTestServer();

type Lines = { key: string; total: number; values: number[] }[];
const toFigures = (lines: Lines) => Object.fromEntries(lines.map(({ key, values }) => [key, values]));
const daysAgo = (days: number) =>
  fromNow(-days * DAY)
    .toISOString()
    .slice(0, 10);
const period = `from=${daysAgo(3)}&to=${daysAgo(0)}&interval=day&time_zone=UTC`;

/** Opens an account 40 days ago with 1,000 credits. Entries are made at noon, far from the start of a day. */
async function makeAccountWithEntries(entries: [days: number, amount: number, reason: string][]) {
  const account = await makeSignedInUser({ createdAt: fromNow(-40 * DAY) });
  let balance = 1000;
  for (const [days, amount, reason] of entries) {
    balance += amount;
    const createdAt = days === 0 ? new Date() : new Date(`${daysAgo(days)}T12:00:00Z`);
    await prisma().creditEntry.create({
      data: { userId: account.id, amount, balance, reason: reason as "usage", createdAt },
    });
  }
  await prisma().user.update({ where: { id: account.id }, data: { credits: balance } });
  return account;
}

it("returns the balance at the end of each day, and what was used, added and deducted", async () => {
  const { id, token } = await makeAccountWithEntries([
    [5, -100, "usage"],
    [3, 500, "admin_adjust"],
    [3, -30, "usage"],
    [2, -50, "admin_adjust"],
    [0, -20, "usage"],
    [0, 5, "refund"],
  ]);
  await makeAccountWithEntries([[2, -700, "usage"]]);
  const { status, json } = await get(`/api/user/credits/series?${period}`, token);
  expect(status).toBe(200);
  expect(toFigures(json.data.lines)).toEqual({
    balance: [1370, 1320, 1320, 1305],
    used: [30, 0, 0, 20],
    added: [500, 0, 0, 5],
    deducted: [0, 50, 0, 0],
  });
  const adminToken = await makeToken((await makeUser({ role: "admin" })).id);
  const adminPath = `/api/admin/users/${id}/credits/series?${period}`;
  expect((await get(adminPath, adminToken)).json.data.lines).toEqual(json.data.lines);
  expect((await get(adminPath, token)).status).toBe(403);
  expect((await get("/api/admin/users/2147483647/credits/series", adminToken)).status).toBe(404);
});

it("projects the end of the balance from the use of the last 30 days", async () => {
  const { token } = await makeAccountWithEntries([
    [35, -400, "usage"],
    [10, -200, "usage"],
    [1, -100, "usage"],
  ]);
  const { projection } = (await get("/api/user/credits/series", token)).json.data;
  expect(projection.daily_use).toBe(10);
  expect(Math.abs(Date.parse(projection.ends_at) - fromNow(30 * DAY).getTime())).toBeLessThan(60_000);
});

it.each([
  ["nothing was used", [[35, -400, "usage"]]],
  ["the balance is zero", [[1, -1000, "usage"]]],
  ["the end is more than two years away", [[1, -10, "usage"]]],
] as const)("projects no end when %s", async (_, entries) => {
  const { token } = await makeAccountWithEntries(entries.map((entry) => [...entry]));
  expect((await get("/api/user/credits/series", token)).json.data.projection).toBeNull();
});

it.each(["Pacific/Kiritimati", "America/Los_Angeles"])("keeps months whole in %s", async (zone) => {
  const { id, token } = await makeSignedInUser();
  const other = await makeUser();
  const makeMonth = (userId: number, month: string, messagesSent: number) => ({
    ...{ userId, month: new Date(month), messagesSent },
    ...{ aiCalls: messagesSent / 2, voiceMinutes: 1 },
  });
  await prisma().usageMonth.createMany({
    data: [
      makeMonth(id, "2026-02-01", 8),
      makeMonth(id, "2026-03-01", 10),
      makeMonth(id, "2026-05-01", 4),
      makeMonth(other.id, "2026-03-01", 100),
    ],
  });
  const { json } = await get(`/api/user/usage/series?from=2026-03-01&to=2026-05-31&time_zone=${zone}`, token);
  expect(toFigures(json.data.lines)).toEqual({
    messages_sent: [10, 0, 4],
    ai_calls: [5, 0, 2],
    voice_minutes: [1, 0, 1],
  });
});
