import { expect, it } from "vitest";
import { DAY, fromNow } from "@/server/core/time";
import { makeReseller, makeSignedInUser, makeToken, makeUser } from "@/server/testing/factories";
import { startTestServer } from "@/server/testing/server";

const { get } = await startTestServer();

async function makeSignedReseller() {
  const reseller = await makeSignedInUser({ role: "reseller" });
  await makeReseller(reseller.id);
  return reseller;
}

const daysAgo = (days: number) =>
  fromNow(-days * DAY)
    .toISOString()
    .slice(0, 10);
const noon = (days: number) => new Date(`${daysAgo(days)}T12:00:00Z`);
const period = `from=${daysAgo(4)}&to=${daysAgo(1)}&interval=day&time_zone=UTC`;
const toFigures = (lines: { key: string; values: number[] }[]) =>
  Object.fromEntries(lines.map(({ key, values }) => [key, values]));

it("counts the reseller's customers by the day on which they joined", async () => {
  const [reseller, other] = [await makeSignedReseller(), await makeSignedReseller()];
  for (const days of [9, 4, 4, 2]) await makeUser({ resellerId: reseller.id, createdAt: noon(days) });
  await makeUser({ resellerId: other.id, createdAt: noon(3) });
  const { json } = await get(`/api/reseller/customers/series?${period}`, reseller.token);
  expect(toFigures(json.data.lines)).toEqual({ joined: [2, 0, 1, 0], customers: [3, 3, 4, 4] });
  const foreignPath = `/api/reseller/customers/series?reseller_id=${other.id}`;
  expect((await get(foreignPath, reseller.token)).status).toBe(403);
  const adminToken = await makeToken((await makeUser({ role: "admin" })).id);
  expect((await get(foreignPath, adminToken)).json.data.lines[1].total).toBe(1);
  expect((await get("/api/reseller/customers/series", (await makeSignedInUser()).token)).status).toBe(403);
});
