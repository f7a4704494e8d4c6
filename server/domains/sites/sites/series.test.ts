import { expect, it } from "vitest";
import { DAY, fromNow } from "@/server/core/time";
import { pool, prisma } from "@/server/infrastructure/database/client";
import { makeReseller, makeSignedInUser, makeSite, makeToken, makeUser } from "@/server/testing/factories";
import { startTestServer } from "@/server/testing/server";

const { get } = await startTestServer();

/** Values of the last two days by line. */
async function readSeries(token: string): Promise<Record<string, number[]>> {
  const day = (days: number) =>
    fromNow(-days * DAY)
      .toISOString()
      .slice(0, 10);
  const { status, json } = await get(
    `/api/sites/series?from=${day(1)}&to=${day(0)}&interval=day&time_zone=UTC`,
    token,
  );
  expect(status).toBe(200);
  return Object.fromEntries(
    json.data.lines.map(({ key, values }: { key: string; values: number[] }) => [key, values]),
  );
}

/** Moves the changes recorded so far into the past, in their order. */
const ageChanges = (userId: number, days: number) =>
  pool().query("update site_changes set at = at - make_interval(days => $2) where user_id = $1", [
    userId,
    days,
  ]);

it("follows sites that are created, suspended, activated, moved and deleted", async () => {
  const { id, token } = await makeSignedInUser();
  const [first, second, third] = [await makeSite(id), await makeSite(id), await makeSite(id)];
  await ageChanges(id, 3);
  const setActive = (site: { id: number }, isActive: boolean) =>
    prisma().site.update({
      where: { id: site.id },
      data: isActive
        ? { isActive, suspendedReason: null, suspendedAt: null }
        : { isActive, suspendedReason: "owner", suspendedAt: new Date() },
    });
  await setActive(first, false);
  await setActive(second, false);
  await ageChanges(id, 1);
  expect(await readSeries(token)).toEqual({ created: [0, 0], active: [1, 1], suspended: [2, 2] });
  await setActive(first, true);
  await prisma().site.update({ where: { id: second.id }, data: { deletedAt: new Date() } });
  const other = await makeSignedInUser();
  await prisma().site.update({ where: { id: third.id }, data: { userId: other.id } });
  await makeSite(id, { isActive: false, suspendedReason: "owner", suspendedAt: new Date() });
  expect(await readSeries(token)).toEqual({ created: [0, 1], active: [1, 1], suspended: [2, 1] });
  expect(await readSeries(other.token)).toEqual({ created: [0, 0], active: [0, 1], suspended: [0, 0] });
});

it("counts the sites that each caller's list contains", async () => {
  const reseller = await makeSignedInUser({ role: "reseller" });
  await makeReseller(reseller.id);
  const customer = await makeSignedInUser({ resellerId: reseller.id });
  const subUser = await makeSignedInUser({ parentUserId: customer.id });
  const stranger = await makeSignedInUser();
  for (const { id } of [reseller, customer, customer, subUser, stranger]) await makeSite(id);
  const getActive = async (token: string) => (await readSeries(token)).active!.at(-1);
  const adminToken = await makeToken((await makeUser({ role: "admin" })).id);
  for (const token of [reseller.token, customer.token, subUser.token, stranger.token, adminToken]) {
    const { meta } = (await get("/api/sites?is_active=true", token)).json;
    expect(await getActive(token)).toBe(meta.total);
  }
  expect(await getActive(reseller.token)).toBe(4);
  const agent = await makeSignedInUser({ parentUserId: customer.id, isAgentOnly: true });
  expect((await get("/api/sites/series", agent.token)).status).toBe(403);
});
