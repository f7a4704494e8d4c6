import { beforeEach, describe, expect, it } from "vitest";
import { DAY, fromNow } from "@/server/core/time";
import { prisma } from "@/server/infrastructure/database/client";
import {
  makeLicence,
  makePayment,
  makeSignedInUser,
  makeSite,
  makeSubscription,
} from "@/server/testing/factories";
import { makeDocument } from "@/server/testing/invoices";
import { resetRateLimits } from "@/server/testing/rate-limits";
import { startTestServer } from "@/server/testing/server";

const { get, post } = await startTestServer();
beforeEach(() => resetRateLimits());

const proPlan = await prisma().subscriptionPlan.findUniqueOrThrow({ where: { slug: "pro" } });
const readDue = async (token: string) => (await get("/api/billing/due", token)).json;
const changeSubscription = (id: number, data: object) =>
  prisma().subscription.update({ where: { id }, data });

describe("due payments", () => {
  it("are empty without subscriptions, and with one that ends in more than seven days", async () => {
    const { id, token } = await makeSignedInUser();
    expect(await readDue(token)).toEqual({
      ...{ success: true, due: [], data: [], count: 0 },
      waiting_invoices: null,
    });
    await makeSubscription(id);
    expect((await readDue(token)).count).toBe(0);
  });

  it("list amount and reference, most urgent first", async () => {
    const { id, token } = await makeSignedInUser();
    const [endedSubscription, endingSubscription, laterSubscription] = [
      await makeSubscription(id),
      await makeSubscription(id),
      await makeSubscription(id),
    ];
    await changeSubscription(endedSubscription.id, {
      status: "past_due",
      startsAt: fromNow(-30 * DAY),
      endsAt: fromNow(-5 * DAY),
    });
    await changeSubscription(endingSubscription.id, { endsAt: fromNow(6 * DAY) });
    await changeSubscription(laterSubscription.id, { endsAt: fromNow(8 * DAY) });
    const { order } = (await post("/api/billing/orders", { plan_id: proPlan.id }, { token })).json;
    const { due, count } = await readDue(token);
    expect(count).toBe(3);
    const row = await prisma().subscription.findUniqueOrThrow({ where: { id: endedSubscription.id } });
    expect(due).toMatchObject([
      {
        kind: "past_due",
        id: endedSubscription.id,
        overdue: true,
        until: new Date(row.endsAt.getTime() + 7 * DAY).toISOString().replace("Z", "000Z"),
        reference: row.reference,
        contact: null,
      },
      { kind: "ends", id: endingSubscription.id, overdue: false, contact: null },
      { kind: "order", id: order.id, name: "Pro", amount: 9999, reference: order.reference, contact: null },
    ]);
    await prisma().subscriptionPlan.updateMany({ data: { price: { increment: 1 } } });
    const amounts = (await readDue(token)).due.map(({ amount }: { amount: number }) => amount);
    expect(amounts[0]).toBe(due[0].amount + 1);
    expect(amounts[2]).toBe(9999);
  });

  it("show a licence with its amount to the reseller who pays, and with a contact to the customer", async () => {
    const reseller = await makeSignedInUser({ role: "reseller" });
    const customer = await makeSignedInUser({ resellerId: reseller.id });
    const outsider = await makeSignedInUser();
    const site = await makeSite(customer.id);
    const licence = await makeLicence(reseller.id, { siteId: site.id });
    const resellerDue = (await readDue(reseller.token)).due;
    expect(resellerDue).toMatchObject([
      {
        kind: "licence",
        id: licence.id,
        site_id: site.id,
        amount: 3999,
        reference: licence.reference,
        contact: null,
      },
    ]);
    expect((await readDue(customer.token)).due).toMatchObject([
      {
        id: licence.id,
        amount: null,
        reference: null,
        contact: { name: reseller.name, email: reseller.email },
      },
    ]);
    expect((await readDue(outsider.token)).due).toEqual([]);
    await prisma().siteLicence.update({ where: { id: licence.id }, data: { status: "active" } });
    expect((await readDue(reseller.token)).due).toEqual([]);
  });

  it("show an agent what the assigned site depends on, with the owner as contact", async () => {
    const owner = await makeSignedInUser();
    const { id } = await makeSubscription(owner.id);
    const site = await makeSite(owner.id, { subscriptionId: id });
    const otherSite = await makeSite(owner.id);
    const makeAgent = (assignedSiteId: number) =>
      makeSignedInUser({ isAgentOnly: true, parentUserId: owner.id, assignedSiteId });
    const [assignedAgent, otherAgent] = [await makeAgent(site.id), await makeAgent(otherSite.id)];
    await changeSubscription(id, { status: "past_due", startsAt: fromNow(-30 * DAY), endsAt: fromNow(-DAY) });
    await post("/api/billing/orders", { plan_id: proPlan.id }, { token: owner.token });
    expect((await readDue(assignedAgent.token)).due).toMatchObject([
      {
        kind: "past_due",
        id,
        amount: null,
        reference: null,
        contact: { name: owner.name, email: owner.email },
      },
    ]);
    expect((await readDue(otherAgent.token)).due).toEqual([]);
  });

  it("list at most twenty items and count all", async () => {
    const reseller = await makeSignedInUser({ role: "reseller" });
    for (let number = 0; number < 23; number++) await makeLicence(reseller.id);
    const { due, count } = await readDue(reseller.token);
    expect({ length: due.length, count }).toEqual({ length: 20, count: 23 });
  });

  it("list an expired plan while its site is suspended, until it is ordered again", async () => {
    const owner = await makeSignedInUser();
    const { id } = await makeSubscription(owner.id, { plan: "pro", days: -20, status: "expired" });
    await makeSubscription(owner.id, { plan: "starter", days: -90, status: "expired" });
    const suspended = { isActive: false, suspendedReason: "subscription_ended" as const };
    const site = await makeSite(owner.id, suspended);
    await makeSite(owner.id, { isActive: false, suspendedReason: "owner" });
    const agent = await makeSignedInUser({
      isAgentOnly: true,
      parentUserId: owner.id,
      assignedSiteId: site.id,
    });
    const { price } = await prisma().subscriptionPlan.findUniqueOrThrow({ where: { id: proPlan.id } });
    const { endsAt } = await prisma().subscription.findUniqueOrThrow({ where: { id } });
    const due = { kind: "expired", id, name: "Pro", plan_id: proPlan.id, overdue: true, reference: null };
    const until = new Date(endsAt.getTime() + 7 * DAY).toISOString().replace("Z", "000Z");
    expect((await readDue(owner.token)).due).toMatchObject([
      { ...due, until, site_id: site.id, site_name: site.name, sites_count: 1, amount: price, contact: null },
    ]);

    await makeSite(owner.id, suspended);
    expect((await readDue(owner.token)).due).toMatchObject([
      { ...due, site_id: null, site_name: null, sites_count: 2 },
    ]);
    const agentDue = { ...due, site_id: site.id, amount: null, contact: { email: owner.email } };
    expect((await readDue(agent.token)).due).toMatchObject([agentDue]);

    const { order } = (await post("/api/billing/orders", { plan_id: proPlan.id }, { token: owner.token }))
      .json;
    expect((await readDue(owner.token)).due).toMatchObject([{ kind: "order", id: order.id }]);
    expect((await readDue(agent.token)).due).toMatchObject([agentDue]);

    // The owner can activate the sites without paying.
    await changeSubscription(order.id, { status: "active", endsAt: fromNow(365 * DAY) });
    expect((await readDue(owner.token)).due).toEqual([]);
  });

  it("name the plan that suspended the sites: one whose payment was reversed, not an older expired one", async () => {
    const { id: userId, token } = await makeSignedInUser();
    await makeSubscription(userId, { plan: "starter", days: -400, status: "expired" });
    const { id } = await makeSubscription(userId, { plan: "pro" });
    await changeSubscription(id, { status: "cancelled", closedReason: "reversed" });
    const reversedAt = fromNow(-DAY);
    await makePayment(userId, { subscriptionId: id, state: "reversed", reversedAt });
    await makeSite(userId, { isActive: false, suspendedReason: "subscription_ended" });
    const until = reversedAt.toISOString().replace("Z", "000Z");
    expect((await readDue(token)).due).toMatchObject([{ kind: "expired", id, name: "Pro", until }]);
  });

  it("list an expired plan until each suspended site has a free slot", async () => {
    const { id, token } = await makeSignedInUser();
    await makeSubscription(id, { plan: "pro", days: -20, status: "expired" });
    await makeSubscription(id, { plan: "starter" });
    const suspended = { isActive: false, suspendedReason: "subscription_ended" as const };
    const sites = [await makeSite(id, suspended), await makeSite(id, suspended)];
    expect((await readDue(token)).due).toMatchObject([{ kind: "expired", name: "Pro", sites_count: 2 }]);
    await prisma().site.delete({ where: { id: sites[0]!.id } });
    expect((await readDue(token)).due).toEqual([]);
  });

  it("leave out an expired plan without suspended sites", async () => {
    const { id, token } = await makeSignedInUser();
    await makeSubscription(id, { days: -20, status: "expired" });
    await makeSite(id);
    expect((await readDue(token)).due).toEqual([]);
  });
});

describe("waiting invoices", () => {
  it("list the missing details and the earliest deadline to their account only", async () => {
    const owner = await makeSignedInUser();
    const agent = await makeSignedInUser({ isAgentOnly: true, parentUserId: owner.id });
    const deadlineAt = fromNow(2 * DAY);
    const waiting = { userId: owner.id, state: "needs_data", step: "queued" } as const;
    await makeDocument({ ...waiting, missing: ["city", "tax_number"], deadlineAt: fromNow(5 * DAY) });
    await makeDocument({ ...waiting, missing: ["tax_number"], deadlineAt });
    await makeDocument({ userId: owner.id });
    expect((await readDue(owner.token)).waiting_invoices).toEqual({
      count: 2,
      missing: ["tax_number", "city"],
      deadline_at: deadlineAt.toISOString().replace("Z", "000Z"),
    });
    expect((await readDue(agent.token)).waiting_invoices).toBeNull();
  });
});
