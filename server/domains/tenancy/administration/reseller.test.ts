import { beforeEach, expect, it } from "vitest";
import { DAY, fromNow } from "@/server/core/time";
import { remindBillingJob } from "@/server/domains/billing/subscriptions/jobs";
import { advanceLicencesJob } from "@/server/domains/sites/slots/jobs";
import { prisma } from "@/server/infrastructure/database/client";
import { burst, countByStatus, ROUNDS } from "@/server/testing/burst";
import {
  makeLicence,
  makeProvenUser,
  makeReseller,
  makeSignedInUser,
  makeSite,
  makeToken,
  makeUser,
} from "@/server/testing/factories";
import { resetLimits } from "@/server/testing/limits";
import { readMails } from "@/server/testing/mailbox";
import { startTestServer } from "@/server/testing/server";

const server = await startTestServer();
const { call, get } = server;
beforeEach(() => resetLimits());

const { token, ...caller } = await makeProvenUser({ role: "admin" });
const reason = "Ticket 4711";
async function makeResellerAccount() {
  const user = await makeUser({ role: "reseller" });
  await makeReseller(user.id);
  return user;
}
const setReseller = (id: number, reseller_id: number | null, extraFields: object = {}) =>
  call("PUT", `/api/admin/users/${id}/reseller`, { token, body: { reseller_id, reason, ...extraFields } });
const readReseller = async (id: number) =>
  (await prisma().user.findUniqueOrThrow({ where: { id }, select: { resellerId: true } })).resellerId;

it("moves a customer to another reseller, without the permissions given to the former one", async () => {
  const [before, after] = [await makeResellerAccount(), await makeResellerAccount()];
  const customer = await makeUser({ resellerId: before.id });
  const member = await makeUser({ parentUserId: customer.id });
  const [session, key] = [await makeToken(customer.id), await makeToken(customer.id, { kind: "api_key" })];
  await prisma().supportAccess.create({
    data: { userId: customer.id, until: new Date(Date.now() + 3_600_000) },
  });
  const tokens = [await makeToken(before.id), await makeToken(after.id)];
  const statuses = () =>
    Promise.all(
      tokens.map(async (each) => (await get(`/api/reseller/customers/${customer.id}`, each)).status),
    );
  expect(await statuses()).toEqual([200, 403]);
  expect((await setReseller(customer.id, after.id)).status).toBe(200);
  expect(await statuses()).toEqual([403, 200]);
  expect([(await get("/api/user", session)).status, (await get("/api/user", key)).status]).toEqual([
    401, 200,
  ]);
  expect(await prisma().supportAccess.count({ where: { userId: customer.id } })).toBe(0);
  expect(await readMails(server, customer.email, "reseller_changed")).toHaveLength(1);
  expect(
    await prisma().auditEvent.findFirst({ where: { action: "account.reseller_changed" } }),
  ).toMatchObject({
    actorId: caller.id,
    objectId: String(customer.id),
    details: { before: before.id, after: after.id, reason },
  });
  expect((await setReseller(customer.id, after.id)).status).toBe(200);
  expect(await readMails(server, customer.email, "reseller_changed")).toHaveLength(1);
  expect((await setReseller(member.id, before.id)).status, "a member follows the team").toBe(422);
  expect((await setReseller(customer.id, null)).status).toBe(200);
  expect(await statuses()).toEqual([403, 403]);
});

it("moves the members with the customer and ends their sessions and permissions", async () => {
  const [before, after] = [await makeResellerAccount(), await makeResellerAccount()];
  const customer = await makeUser({ resellerId: before.id });
  const site = await makeSite(customer.id);
  const members = [
    await makeUser({ parentUserId: customer.id }),
    await makeUser({ parentUserId: customer.id, isAgentOnly: true, assignedSiteId: site.id }),
  ];
  const until = new Date(Date.now() + 3_600_000);
  const sessions = [];
  for (const { id: userId } of members) {
    await prisma().supportAccess.create({ data: { userId, until } });
    sessions.push(await makeToken(userId));
  }
  const { token: otherToken } = await makeSignedInUser({ resellerId: before.id });
  expect((await setReseller(customer.id, after.id)).status).toBe(200);
  for (const [index, { id: userId, email }] of members.entries()) {
    expect(await prisma().supportAccess.count({ where: { userId } }), "permission of a member").toBe(0);
    expect((await get("/api/user", sessions[index]!)).status, "signed in past the new portal's lock").toBe(
      401,
    );
    expect(await readMails(server, email, "reseller_changed")).toHaveLength(1);
  }
  expect((await get("/api/user", otherToken)).status).toBe(200);
});

it("rejects any account but an active reseller", async () => {
  const [active, passive, person] = [
    await makeResellerAccount(),
    await makeUser({ role: "reseller", isActive: false }),
    await makeUser(),
  ];
  const other = await makeUser();
  for (const invalidId of [person.id, other.id, passive.id, caller.id, 2_147_483_647])
    expect((await setReseller(person.id, invalidId)).json.errors, String(invalidId)).toHaveProperty(
      "reseller_id",
    );
  for (const { id } of [active, caller]) expect((await setReseller(id, active.id)).status).toBe(422);
  const agent = await makeUser({ isAgentOnly: true });
  expect((await setReseller(agent.id, active.id)).status).toBe(422);
  expect(await readReseller(person.id)).toBeNull();
});

it("rejects a change based on a reseller that is no longer set", async () => {
  const [one, two, person] = [await makeResellerAccount(), await makeResellerAccount(), await makeUser()];
  const expected = { reseller_id: null };
  const resellerIds = [one.id, two.id];
  const responses = await burst(10, (index) => setReseller(person.id, resellerIds[index % 2]!, { expected }));
  expect(countByStatus(responses)).toEqual({ 200: 5, 409: 5 });
  expect(resellerIds).toContain(await readReseller(person.id));
});

it.each(ROUNDS)(
  "does not deadlock with changes of a member older than its parent, round %i",
  async (round) => {
    const other = await makeResellerAccount();
    const member = await makeUser();
    const customer = await makeUser();
    await prisma().user.update({ where: { id: member.id }, data: { parentUserId: customer.id } });
    const key = await makeToken(customer.id, { kind: "api_key" });
    const responses = await burst(20, (index) =>
      index % 2
        ? setReseller(customer.id, index % 4 === 1 ? other.id : null)
        : call("PUT", `/api/team/members/${member.id}`, {
            token: key,
            body: { is_active: (index + round) % 4 === 0 },
          }),
    );
    expect(countByStatus(responses)).toEqual({ 200: 20 });
  },
);

it("makes the customer pay for the licences of their sites, which the former reseller no longer sees", async () => {
  const [before, after] = [await makeResellerAccount(), await makeResellerAccount()];
  const customer = await makeUser({ resellerId: before.id });
  const otherCustomer = await makeUser({ resellerId: before.id });
  const [paidSite, unpaidSite, other] = [
    await makeSite(customer.id),
    await makeSite(customer.id),
    await makeSite(otherCustomer.id),
  ];
  const licences = [
    await makeLicence(before.id, { siteId: paidSite.id, status: "active" }),
    await makeLicence(before.id, { siteId: unpaidSite.id }),
    await makeLicence(before.id, { siteId: other.id }),
  ];
  const referencesOf = async (id: number) => {
    const { json } = await get("/api/billing/licences", await makeToken(id));
    return json.data.map(({ reference }: { reference: string }) => reference).sort();
  };
  const [one, two, three] = licences.map(({ reference }) => reference);
  expect(await referencesOf(before.id)).toEqual([one, two, three].sort());
  expect((await setReseller(customer.id, after.id)).status).toBe(200);
  expect([await referencesOf(before.id), await referencesOf(customer.id)]).toEqual([
    [three],
    [one, two].sort(),
  ]);
});

it("reminds the customer of a licence again after the former reseller was reminded", async () => {
  const before = await makeResellerAccount();
  const customer = await makeUser({ resellerId: before.id });
  const licence = await makeLicence(before.id, {
    siteId: (await makeSite(customer.id)).id,
    payBy: fromNow(5 * DAY),
  });
  const mailCounts = async (email: string) => [
    (await readMails(server, email, "licence_due")).length,
    (await readMails(server, email, "licence_suspended")).length,
  ];
  await remindBillingJob();
  expect(await mailCounts(before.email)).toEqual([1, 0]);
  await prisma().licenceNotice.create({ data: { licenceId: licence.id, kind: "suspended" } });
  expect((await setReseller(customer.id, null)).status).toBe(200);
  await remindBillingJob();
  await prisma().siteLicence.update({ where: { id: licence.id }, data: { payBy: fromNow(-DAY) } });
  await advanceLicencesJob();
  expect([await mailCounts(before.email), await mailCounts(customer.email)]).toEqual([
    [1, 0],
    [1, 1],
  ]);
});
