import { expect, it } from "vitest";
import { createSystemContext } from "@/server/core/context";
import { lockNewSite } from "@/server/domains/sites/slots/service";
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
  const [reseller, other] = [await makeUser({ role: "reseller" }), await makeUser({ role: "reseller" })];
  const resellerSubAccount = await makeUser({ parentUserId: reseller.id });
  const customer = await makeUser({ resellerId: reseller.id });
  const customerSubAccount = await makeUser({ parentUserId: customer.id });
  const stranger = await makeUser();
  const sites: number[] = [];
  for (const { id } of [reseller, resellerSubAccount, customer, customerSubAccount, stranger])
    sites.push((await makeSite(id)).id);
  const [ownSite, staffSite, customerSite, colleagueSite, strangerSite] = sites as [
    number,
    number,
    number,
    number,
    number,
  ];
  const updateUser = (id: number, data: object) => prisma().user.update({ where: { id }, data });
  const listForBoth = async () => [await listReadableBy(reseller.id), await listReadableBy(other.id)];

  expect(await listForBoth()).toEqual([[ownSite, staffSite, customerSite, colleagueSite], []]);
  await updateUser(customer.id, { resellerId: other.id });
  expect(await listForBoth()).toEqual([
    [ownSite, staffSite],
    [customerSite, colleagueSite],
  ]);
  await updateUser(customerSubAccount.id, { parentUserId: null });
  expect(await listForBoth()).toEqual([[ownSite, staffSite], [customerSite]]);
  await updateUser(stranger.id, { resellerId: reseller.id });
  await updateUser(customer.id, { resellerId: null });
  expect(await listForBoth()).toEqual([[ownSite, staffSite, strangerSite], []]);
  await updateUser(stranger.id, { role: "reseller", resellerId: null });
  expect(await listForBoth()).toEqual([[ownSite, staffSite], []]);
  expect(await listReadableBy(stranger.id)).toEqual([strangerSite]);
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
    const create = (index: number) =>
      post(
        "/api/sites",
        { name: "New", domain: `r${round}-${index}.example.com` },
        { token: tokens[index % 2] },
      );
    const creations = Array.from({ length: 12 }, (_, index) => create(index));
    const move = prisma()
      .user.update({ where: { id: customer.id }, data: { resellerId: newReseller.id } })
      .then();
    expect((await Promise.all(creations)).map(({ status }) => status)).toEqual(Array(12).fill(201));
    await move;
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
  let move: Promise<unknown> | undefined;
  let isMoved = false;
  const isMoveWaiting = async () => isMoved || (await countLockWaits()) > 0;
  const { id } = await withTransaction(createSystemContext(withoutTransaction()), async (tx) => {
    await lockNewSite(tx, customer.id);
    const site = await tx.db.site.create({
      data: {
        ...{ userId: customer.id, name: "S", domain: "waits.example.com" },
        ...{ apiKeyHash: Buffer.from("waits"), apiKeySealed: Buffer.from(""), apiKeyLastFour: "" },
      },
    });
    move = prisma()
      .user.update({ where: { id: customer.id }, data: { resellerId: newReseller.id } })
      .finally(() => (isMoved = true));
    await expect.poll(isMoveWaiting).toBe(true);
    return site;
  });
  await move;
  expect((await prisma().site.findUniqueOrThrow({ where: { id } })).resellerId).toBe(newReseller.id);
});
