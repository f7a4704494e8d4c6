import { expect, it } from "vitest";
import { createSystemContext } from "@/server/core/context";
import { lockSlotsForNewSite } from "@/server/domains/sites/slots/service";
import { pool, prisma } from "@/server/infrastructure/database/client";
import { withoutTransaction, withTransaction } from "@/server/infrastructure/database/transaction";
import { makeSite, makeToken, makeUser } from "@/server/testing/factories";
import { countLockWaits } from "@/server/testing/locks";
import { startTestServer } from "@/server/testing/server";

const { get, post } = await startTestServer();

/** Returns the sites a reseller can read. Expects the list, a page and single reads to agree. */
async function listReadableBy(resellerId: number): Promise<number[]> {
  const token = await makeToken(resellerId);
  const listIds = async (query: string) =>
    ((await get(`/api/sites?${query}`, token)).json as { data: { id: number }[] }).data
      .map(({ id }) => id)
      .sort((a, b) => a - b);
  const listedIds = await listIds("");
  expect(await listIds("page=1&per_page=100")).toEqual(listedIds);
  const readableIds: number[] = [];
  for (const { id } of await prisma().site.findMany({ where: { deletedAt: null }, orderBy: { id: "asc" } }))
    if ((await get(`/api/sites/${id}`, token)).status === 200) readableIds.push(id);
  expect(readableIds).toEqual(listedIds);
  return listedIds;
}

it("a reseller's list follows accounts that change their reseller, parent or role", async () => {
  const [reseller, otherReseller] = [
    await makeUser({ role: "reseller" }),
    await makeUser({ role: "reseller" }),
  ];
  const resellerSubAccount = await makeUser({ parentUserId: reseller.id });
  const customer = await makeUser({ resellerId: reseller.id });
  const customerSubAccount = await makeUser({ parentUserId: customer.id });
  const stranger = await makeUser();
  const siteIds: number[] = [];
  for (const { id } of [reseller, resellerSubAccount, customer, customerSubAccount, stranger])
    siteIds.push((await makeSite(id)).id);
  const [ownSiteId, staffSiteId, customerSiteId, customerSubSiteId, strangerSiteId] = siteIds as [
    number,
    number,
    number,
    number,
    number,
  ];
  const updateUser = (id: number, data: object) => prisma().user.update({ where: { id }, data });
  const listForBoth = async () => [await listReadableBy(reseller.id), await listReadableBy(otherReseller.id)];

  expect(await listForBoth()).toEqual([[ownSiteId, staffSiteId, customerSiteId, customerSubSiteId], []]);
  await updateUser(customer.id, { resellerId: otherReseller.id });
  expect(await listForBoth()).toEqual([
    [ownSiteId, staffSiteId],
    [customerSiteId, customerSubSiteId],
  ]);
  await updateUser(customerSubAccount.id, { parentUserId: null });
  expect(await listForBoth()).toEqual([[ownSiteId, staffSiteId], [customerSiteId]]);
  await updateUser(stranger.id, { resellerId: reseller.id });
  await updateUser(customer.id, { resellerId: null });
  expect(await listForBoth()).toEqual([[ownSiteId, staffSiteId, strangerSiteId], []]);
  await updateUser(stranger.id, { role: "reseller", resellerId: null });
  expect(await listForBoth()).toEqual([[ownSiteId, staffSiteId], []]);
  expect(await listReadableBy(stranger.id)).toEqual([strangerSiteId]);
});

it("the new reseller's list includes sites created while the owner or their parent changes reseller", async () => {
  const [oldReseller, newReseller] = [
    await makeUser({ role: "reseller" }),
    await makeUser({ role: "reseller" }),
  ];
  for (let round = 0; round < 10; round++) {
    const customer = await makeUser({ resellerId: oldReseller.id });
    const customerSubAccount = await makeUser({ parentUserId: customer.id });
    const owners = [customer, customerSubAccount];
    for (const { id } of owners)
      await pool().query(
        `insert into subscriptions (user_id, plan_id, plan_name, price_minor, monthly_credits, status, site_slots, starts_at, ends_at)
         select $1, id, name, price * 100, monthly_credits, 'active', 20, now(), now() + interval '1 year'
           from subscription_plans order by id limit 1`,
        [id],
      );
    const tokens = await Promise.all(owners.map(({ id }) => makeToken(id)));
    const createNumberedSite = (index: number) =>
      post(
        "/api/sites",
        { name: "New", domain: `r${round}-${index}.example.com` },
        { token: tokens[index % 2] },
      );
    const creations = Array.from({ length: 12 }, (_, index) => createNumberedSite(index));
    const resellerChange = prisma()
      .user.update({ where: { id: customer.id }, data: { resellerId: newReseller.id } })
      .then();
    expect((await Promise.all(creations)).map(({ status }) => status)).toEqual(Array(12).fill(201));
    await resellerChange;
    const { rows } = await pool().query(
      "select distinct reseller_id from sites where user_id = any($1::int[])",
      [owners.map(({ id }) => id)],
    );
    expect(rows).toEqual([{ reseller_id: newReseller.id }]);
  }
});

it("a change of reseller waits for a site that is being created", async () => {
  const [oldReseller, newReseller] = [
    await makeUser({ role: "reseller" }),
    await makeUser({ role: "reseller" }),
  ];
  const customer = await makeUser({ resellerId: oldReseller.id });
  let resellerChange: Promise<unknown> | undefined;
  let isResellerChanged = false;
  const isChangeWaitingOrDone = async () => isResellerChanged || (await countLockWaits()) > 0;
  const { id } = await withTransaction(createSystemContext(withoutTransaction()), async (tx) => {
    await lockSlotsForNewSite(tx, customer.id);
    const site = await tx.db.site.create({
      data: {
        ...{ userId: customer.id, name: "S", domain: "waits.example.com" },
        ...{ apiKeyHash: Buffer.from("waits"), apiKeySealed: Buffer.from(""), apiKeyLastFour: "" },
      },
    });
    resellerChange = prisma()
      .user.update({ where: { id: customer.id }, data: { resellerId: newReseller.id } })
      .finally(() => (isResellerChanged = true));
    await expect.poll(isChangeWaitingOrDone).toBe(true);
    return site;
  });
  await resellerChange;
  expect((await prisma().site.findUniqueOrThrow({ where: { id } })).resellerId).toBe(newReseller.id);
});
