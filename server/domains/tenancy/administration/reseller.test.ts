import { beforeEach, expect, it } from "vitest";
import { DAY, fromNow } from "@/server/core/time";
import { remindBillingJob } from "@/server/domains/billing/subscriptions/jobs";
import { advanceLicencesJob } from "@/server/domains/sites/slots/jobs";
import { prisma } from "@/server/infrastructure/database/client";
import { BURST_ROUNDS, countByStatus, runConcurrently } from "@/server/testing/burst";
import {
  makeLicence,
  makeProvenUser,
  makeReseller,
  makeSignedInUser,
  makeSite,
  makeToken,
  makeUser,
} from "@/server/testing/factories";
import { deliverAndReadMails } from "@/server/testing/mailbox";
import { resetRateLimits } from "@/server/testing/rate-limits";
import { startTestServer } from "@/server/testing/server";

const server = await startTestServer();
const { call, get } = server;
beforeEach(() => resetRateLimits());

const { token, ...caller } = await makeProvenUser({ role: "admin" });
const reason = "Ticket 4711";
async function makeResellerAccount() {
  const user = await makeUser({ role: "reseller" });
  await makeReseller(user.id);
  return user;
}
const setReseller = (id: number, reseller_id: number | null, extraFields: object = {}) =>
  call("PUT", `/api/admin/users/${id}/reseller`, { token, body: { reseller_id, reason, ...extraFields } });
const readResellerId = async (id: number) =>
  (await prisma().user.findUniqueOrThrow({ where: { id }, select: { resellerId: true } })).resellerId;

it("moves a customer to another reseller and withdraws the permissions given to the former one", async () => {
  const [formerReseller, newReseller] = [await makeResellerAccount(), await makeResellerAccount()];
  const customer = await makeUser({ resellerId: formerReseller.id });
  const member = await makeUser({ parentUserId: customer.id });
  const [sessionToken, apiKey] = [
    await makeToken(customer.id),
    await makeToken(customer.id, { kind: "api_key" }),
  ];
  await prisma().supportAccess.create({
    data: { userId: customer.id, until: new Date(Date.now() + 3_600_000) },
  });
  const tokens = [await makeToken(formerReseller.id), await makeToken(newReseller.id)];
  const readStatuses = () =>
    Promise.all(
      tokens.map(
        async (resellerToken) => (await get(`/api/reseller/customers/${customer.id}`, resellerToken)).status,
      ),
    );
  expect(await readStatuses()).toEqual([200, 403]);
  expect((await setReseller(customer.id, newReseller.id)).status).toBe(200);
  expect(await readStatuses()).toEqual([403, 200]);
  expect([(await get("/api/user", sessionToken)).status, (await get("/api/user", apiKey)).status]).toEqual([
    401, 200,
  ]);
  expect(await prisma().supportAccess.count({ where: { userId: customer.id } })).toBe(0);
  expect(await deliverAndReadMails(server, customer.email, "reseller_changed")).toHaveLength(1);
  expect(
    await prisma().auditEvent.findFirst({ where: { action: "account.reseller_changed" } }),
  ).toMatchObject({
    actorId: caller.id,
    objectId: String(customer.id),
    details: { before: formerReseller.id, after: newReseller.id, reason },
  });
  expect((await setReseller(customer.id, newReseller.id)).status).toBe(200);
  expect(await deliverAndReadMails(server, customer.email, "reseller_changed")).toHaveLength(1);
  expect((await setReseller(member.id, formerReseller.id)).status, "a member follows the team").toBe(422);
  expect((await setReseller(customer.id, null)).status).toBe(200);
  expect(await readStatuses()).toEqual([403, 403]);
});

it("moves the members with the customer and ends their sessions and permissions", async () => {
  const [formerReseller, newReseller] = [await makeResellerAccount(), await makeResellerAccount()];
  const customer = await makeUser({ resellerId: formerReseller.id });
  const site = await makeSite(customer.id);
  const members = [
    await makeUser({ parentUserId: customer.id }),
    await makeUser({ parentUserId: customer.id, isAgentOnly: true, assignedSiteId: site.id }),
  ];
  const until = new Date(Date.now() + 3_600_000);
  const sessionTokens = [];
  for (const { id: userId } of members) {
    await prisma().supportAccess.create({ data: { userId, until } });
    sessionTokens.push(await makeToken(userId));
  }
  const { token: otherCustomerToken } = await makeSignedInUser({ resellerId: formerReseller.id });
  expect((await setReseller(customer.id, newReseller.id)).status).toBe(200);
  for (const [index, { id: userId, email }] of members.entries()) {
    expect(await prisma().supportAccess.count({ where: { userId } }), "permission of a member").toBe(0);
    expect(
      (await get("/api/user", sessionTokens[index]!)).status,
      "signed in past the new portal's lock",
    ).toBe(401);
    expect(await deliverAndReadMails(server, email, "reseller_changed")).toHaveLength(1);
  }
  expect((await get("/api/user", otherCustomerToken)).status).toBe(200);
});

it("rejects any account but an active reseller", async () => {
  const [activeReseller, inactiveReseller, person] = [
    await makeResellerAccount(),
    await makeUser({ role: "reseller", isActive: false }),
    await makeUser(),
  ];
  const otherUser = await makeUser();
  for (const invalidId of [person.id, otherUser.id, inactiveReseller.id, caller.id, 2_147_483_647])
    expect((await setReseller(person.id, invalidId)).json.errors, String(invalidId)).toHaveProperty(
      "reseller_id",
    );
  for (const { id } of [activeReseller, caller])
    expect((await setReseller(id, activeReseller.id)).status).toBe(422);
  const agent = await makeUser({ isAgentOnly: true });
  expect((await setReseller(agent.id, activeReseller.id)).status).toBe(422);
  expect(await readResellerId(person.id)).toBeNull();
});

it("rejects a change based on a reseller that is no longer set", async () => {
  const [firstReseller, secondReseller, person] = [
    await makeResellerAccount(),
    await makeResellerAccount(),
    await makeUser(),
  ];
  const expected = { reseller_id: null };
  const resellerIds = [firstReseller.id, secondReseller.id];
  const responses = await runConcurrently(10, (index) =>
    setReseller(person.id, resellerIds[index % 2]!, { expected }),
  );
  expect(countByStatus(responses)).toEqual({ 200: 5, 409: 5 });
  expect(resellerIds).toContain(await readResellerId(person.id));
});

it.each(BURST_ROUNDS)(
  "does not deadlock with changes of a member older than its parent, round %i",
  async (round) => {
    const otherReseller = await makeResellerAccount();
    const member = await makeUser();
    const customer = await makeUser();
    await prisma().user.update({ where: { id: member.id }, data: { parentUserId: customer.id } });
    const apiKey = await makeToken(customer.id, { kind: "api_key" });
    const responses = await runConcurrently(20, (index) =>
      index % 2
        ? setReseller(customer.id, index % 4 === 1 ? otherReseller.id : null)
        : call("PUT", `/api/team/members/${member.id}`, {
            token: apiKey,
            body: { is_active: (index + round) % 4 === 0 },
          }),
    );
    expect(countByStatus(responses)).toEqual({ 200: 20 });
  },
);

it("makes the customer pay for the licences of their sites, and hides them from the former reseller", async () => {
  const [formerReseller, newReseller] = [await makeResellerAccount(), await makeResellerAccount()];
  const customer = await makeUser({ resellerId: formerReseller.id });
  const otherCustomer = await makeUser({ resellerId: formerReseller.id });
  const [paidSite, unpaidSite, otherSite] = [
    await makeSite(customer.id),
    await makeSite(customer.id),
    await makeSite(otherCustomer.id),
  ];
  const licences = [
    await makeLicence(formerReseller.id, { siteId: paidSite.id, status: "active" }),
    await makeLicence(formerReseller.id, { siteId: unpaidSite.id }),
    await makeLicence(formerReseller.id, { siteId: otherSite.id }),
  ];
  const readReferences = async (id: number) => {
    const { json } = await get("/api/billing/licences", await makeToken(id));
    return json.data.map(({ reference }: { reference: string }) => reference).sort();
  };
  const [firstReference, secondReference, thirdReference] = licences.map(({ reference }) => reference);
  expect(await readReferences(formerReseller.id)).toEqual(
    [firstReference, secondReference, thirdReference].sort(),
  );
  expect((await setReseller(customer.id, newReseller.id)).status).toBe(200);
  expect([await readReferences(formerReseller.id), await readReferences(customer.id)]).toEqual([
    [thirdReference],
    [firstReference, secondReference].sort(),
  ]);
});

it("reminds the customer of a licence again after the former reseller was reminded", async () => {
  const formerReseller = await makeResellerAccount();
  const customer = await makeUser({ resellerId: formerReseller.id });
  const licence = await makeLicence(formerReseller.id, {
    siteId: (await makeSite(customer.id)).id,
    payBy: fromNow(5 * DAY),
  });
  const countLicenceMails = async (email: string) => [
    (await deliverAndReadMails(server, email, "licence_due")).length,
    (await deliverAndReadMails(server, email, "licence_suspended")).length,
  ];
  await remindBillingJob();
  expect(await countLicenceMails(formerReseller.email)).toEqual([1, 0]);
  await prisma().licenceNotice.create({ data: { licenceId: licence.id, kind: "suspended" } });
  expect((await setReseller(customer.id, null)).status).toBe(200);
  await remindBillingJob();
  await prisma().siteLicence.update({ where: { id: licence.id }, data: { payBy: fromNow(-DAY) } });
  await advanceLicencesJob();
  expect([await countLicenceMails(formerReseller.email), await countLicenceMails(customer.email)]).toEqual([
    [1, 0],
    [1, 1],
  ]);
});
