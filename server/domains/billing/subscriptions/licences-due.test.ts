import { expect, it } from "vitest";
import { DAY, fromNow } from "@/server/core/time";
import { SITE_LICENCE_PRICE_TRY } from "@/server/domains/sites/slots/contract";
import { makeLicence, makeReseller, makeSignedInUser, makeSite, makeUser } from "@/server/testing/factories";
import { startTestServer } from "@/server/testing/server";

const { get } = await startTestServer();

it("counts unpaid licences at their deadline and renewals at the end of the paid year", async () => {
  const reseller = await makeSignedInUser({ role: "reseller" });
  await makeReseller(reseller.id);
  const customer = await makeUser({ resellerId: reseller.id });
  const other = await makeSignedInUser();
  const addLicence = async (payerId: number, data: object) => {
    const site = await makeSite(customer.id);
    const licence = {
      periodStart: fromNow(-9 * DAY),
      payBy: fromNow(-4 * DAY),
      periodEnd: fromNow(99 * DAY),
    };
    await makeLicence(payerId, { siteId: site.id, ...licence, ...data });
    return site;
  };
  await addLicence(reseller.id, { status: "pending", priceTry: 1000 });
  await addLicence(reseller.id, { status: "pending", payBy: fromNow(3 * DAY), priceTry: 2000 });
  const renewed = await addLicence(reseller.id, { status: "active", periodEnd: fromNow(5 * DAY) });
  await makeLicence(reseller.id, {
    ...{ siteId: renewed.id, status: "pending", priceTry: 4000, payBy: fromNow(5 * DAY) },
    ...{ periodStart: fromNow(5 * DAY), periodEnd: fromNow(370 * DAY) },
  });
  await addLicence(reseller.id, { status: "active", periodEnd: fromNow(8 * DAY) });
  await addLicence(reseller.id, { status: "active", periodEnd: fromNow(200 * DAY) });
  await addLicence(reseller.id, { status: "cancelled", payBy: fromNow(2 * DAY) });
  await addLicence(other.id, { status: "pending", payBy: fromNow(3 * DAY) });
  const { json } = await get("/api/billing/licences/series?period=next_30d&time_zone=UTC", reseller.token);
  const [licences, amount] = json.data.lines;
  expect(licences.values.slice(0, 9)).toEqual([1, 0, 0, 1, 0, 1, 0, 0, 1]);
  expect(licences.total).toBe(4);
  const renewal = SITE_LICENCE_PRICE_TRY * 100;
  expect(amount.values.slice(0, 9)).toEqual([100_000, 0, 0, 200_000, 0, 400_000, 0, 0, renewal]);
  const agent = await makeSignedInUser({ parentUserId: reseller.id, isAgentOnly: true });
  expect((await get("/api/billing/licences/series", agent.token)).status).toBe(403);
});
