import { beforeEach, describe, expect, it } from "vitest";
import { foldText } from "@/server/core/fold";
import { DAY, fromNow } from "@/server/core/time";
import { prisma } from "@/server/infrastructure/database/client";
import { makeLicence, makeSignedInUser, makeSite, makeToken, makeUser } from "@/server/testing/factories";
import { resetRateLimits } from "@/server/testing/rate-limits";
import { startTestServer } from "@/server/testing/server";

const { get } = await startTestServer();
beforeEach(() => resetRateLimits());

async function makeCustomerLicence(
  resellerId: number,
  { customer = "Ayşe Kaya", site = "Kaya Kahve", days = 5 } = {},
) {
  const owner = await makeUser({ name: customer, resellerId, searchText: foldText(customer) });
  const { id: siteId } = await makeSite(owner.id, { name: site, searchText: foldText(site) });
  const { id } = await makeLicence(resellerId, { siteId });
  return prisma().siteLicence.update({ where: { id }, data: { payBy: fromNow(days * DAY) } });
}

const { token: resellerToken, ...reseller } = await makeSignedInUser({ role: "reseller" });
const lateLicence = await makeCustomerLicence(reseller.id, {
  customer: "Işıl Çınar",
  site: "Çınar Fırın",
  days: -2,
});
const soonLicence = await makeCustomerLicence(reseller.id, { days: 3 });
const paidLicence = await makeCustomerLicence(reseller.id, { site: "Paid 50%", days: -9 });
await prisma().siteLicence.update({ where: { id: paidLicence.id }, data: { status: "active" } });
const endedLicence = await makeCustomerLicence(reseller.id);
await prisma().siteLicence.update({ where: { id: endedLicence.id }, data: { status: "cancelled" } });
const otherReseller = await makeUser({ role: "reseller" });
await makeCustomerLicence(otherReseller.id);

describe("the list of licences", () => {
  const listLicences = async (query: string) =>
    (await get(`/api/billing/licences${query}`, resellerToken)).json;
  const getIds = ({ licences }: { licences: { id: number }[] }) => licences.map(({ id }) => id);

  it("contains the account's own licences, unpaid first", async () => {
    const firstPage = await listLicences("");
    expect(getIds(firstPage)).toEqual([lateLicence.id, soonLicence.id, paidLicence.id]);
    expect(firstPage).toMatchObject({ success: true, count: 3, meta: { page: 1, per_page: 50, total: 3 } });
    expect(firstPage.data).toEqual(firstPage.licences);
    expect(firstPage.licences[0]).toMatchObject({
      customer: "Işıl Çınar",
      status: "pending",
      reference: lateLicence.reference,
      amount: 3999,
      currency: "TRY",
    });
    expect(getIds(await listLicences("?sort=-due"))).toEqual([
      paidLicence.id,
      soonLicence.id,
      lateLicence.id,
    ]);
  });

  it("has pages", async () => {
    const secondPage = await listLicences("?page=2&per_page=1");
    expect(getIds(secondPage)).toEqual([soonLicence.id]);
    expect(secondPage.meta).toEqual({ page: 2, per_page: 1, total: 3 });
    expect((await get("/api/billing/licences?page=0", resellerToken)).status).toBe(422);
  });

  it("searches site, customer and reference, and takes wildcards literally", async () => {
    expect(getIds(await listLicences("?q=CINAR%20firin"))).toEqual([lateLicence.id]);
    expect(getIds(await listLicences("?q=I%C5%9EIL"))).toEqual([lateLicence.id]);
    expect(getIds(await listLicences(`?q=${soonLicence.reference.toLowerCase()}`))).toEqual([soonLicence.id]);
    expect(getIds(await listLicences("?q=50%25"))).toEqual([paidLicence.id]);
    expect(getIds(await listLicences("?q=_____"))).toEqual([]);
    expect(getIds(await listLicences("?status=active"))).toEqual([paidLicence.id]);
  });

  it("is empty for an account without licences and forbidden for agents", async () => {
    const owner = await makeUser();
    expect((await get("/api/billing/licences", await makeToken(owner.id))).json).toMatchObject({
      licences: [],
      count: 0,
    });
    const agent = await makeUser({ isAgentOnly: true, parentUserId: owner.id });
    const agentResponse = await get("/api/billing/licences", await makeToken(agent.id));
    expect(agentResponse.status).toBe(403);
    expect(agentResponse.json.contact).toEqual({ name: owner.name, email: owner.email });
  });
});
