import { beforeEach, describe, expect, it } from "vitest";
import { fold } from "@/server/core/fold";
import { DAY, fromNow } from "@/server/core/time";
import { prisma } from "@/server/infrastructure/database/client";
import { makeLicence, makeSignedInUser, makeSite, makeToken, makeUser } from "@/server/testing/factories";
import { resetLimits } from "@/server/testing/limits";
import { testServer } from "@/server/testing/server";

const { get } = await testServer();
beforeEach(() => resetLimits());

async function licenceOf(reseller: number, { customer = "Ayşe Kaya", site = "Kaya Kahve", days = 5 } = {}) {
  const owner = await makeUser({ name: customer, resellerId: reseller, searchText: fold(customer) });
  const { id: siteId } = await makeSite(owner.id, { name: site, searchText: fold(site) });
  const { id } = await makeLicence(reseller, { siteId });
  return prisma().siteLicence.update({ where: { id }, data: { payBy: fromNow(days * DAY) } });
}

const { token, ...reseller } = await makeSignedInUser({ role: "reseller" });
const late = await licenceOf(reseller.id, { customer: "Işıl Çınar", site: "Çınar Fırın", days: -2 });
const soon = await licenceOf(reseller.id, { days: 3 });
const paid = await licenceOf(reseller.id, { site: "Paid 50%", days: -9 });
await prisma().siteLicence.update({ where: { id: paid.id }, data: { status: "active" } });
const ended = await licenceOf(reseller.id);
await prisma().siteLicence.update({ where: { id: ended.id }, data: { status: "cancelled" } });
const other = await makeUser({ role: "reseller" });
await licenceOf(other.id);

describe("the list of licences", () => {
  const list = async (query: string) => (await get(`/api/billing/licences${query}`, token)).json;
  const idsOf = ({ licences }: { licences: { id: number }[] }) => licences.map(({ id }) => id);

  it("contains the account's own licences, unpaid first", async () => {
    const all = await list("");
    expect(idsOf(all)).toEqual([late.id, soon.id, paid.id]);
    expect(all).toMatchObject({ success: true, count: 3, meta: { page: 1, per_page: 50, total: 3 } });
    expect(all.data).toEqual(all.licences);
    expect(all.licences[0]).toMatchObject({
      customer: "Işıl Çınar",
      status: "pending",
      reference: late.reference,
      amount: 3999,
      currency: "TRY",
    });
    expect(idsOf(await list("?sort=-due"))).toEqual([paid.id, soon.id, late.id]);
  });

  it("has pages", async () => {
    const second = await list("?page=2&per_page=1");
    expect(idsOf(second)).toEqual([soon.id]);
    expect(second.meta).toEqual({ page: 2, per_page: 1, total: 3 });
    expect((await get("/api/billing/licences?page=0", token)).status).toBe(422);
  });

  it("searches site, customer and reference, and takes wildcards literally", async () => {
    expect(idsOf(await list("?q=CINAR%20firin"))).toEqual([late.id]);
    expect(idsOf(await list("?q=I%C5%9EIL"))).toEqual([late.id]);
    expect(idsOf(await list(`?q=${soon.reference.toLowerCase()}`))).toEqual([soon.id]);
    expect(idsOf(await list("?q=50%25"))).toEqual([paid.id]);
    expect(idsOf(await list("?q=_____"))).toEqual([]);
    expect(idsOf(await list("?status=active"))).toEqual([paid.id]);
  });

  it("is empty for an account without licences and forbidden for agents", async () => {
    const owner = await makeUser();
    expect((await get("/api/billing/licences", await makeToken(owner.id))).json).toMatchObject({
      licences: [],
      count: 0,
    });
    const agent = await makeUser({ isAgentOnly: true, parentUserId: owner.id });
    const refused = await get("/api/billing/licences", await makeToken(agent.id));
    expect(refused.status).toBe(403);
    expect(refused.json.contact).toEqual({ name: owner.name, email: owner.email });
  });
});
