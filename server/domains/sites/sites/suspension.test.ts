import { beforeEach, describe, expect, it } from "vitest";
import { DAY, fromNow } from "@/server/core/time";
import { prisma } from "@/server/infrastructure/database/client";
import type { SuspensionReason } from "@/server/infrastructure/database/generated/enums";
import { countByStatus, runConcurrently } from "@/server/testing/burst";
import { makeProvenUser, makeReseller, makeSite, makeSubscription } from "@/server/testing/factories";
import { deliverAndReadMails } from "@/server/testing/mailbox";
import { resetRateLimits } from "@/server/testing/rate-limits";
import { startTestServer } from "@/server/testing/server";

const server = await startTestServer();
const { get, post } = server;
beforeEach(() => resetRateLimits());

async function makeResellerAccount(options: { signed?: boolean } = {}) {
  const reseller = await makeProvenUser({ role: "reseller" });
  await makeReseller(reseller.id, options);
  return reseller;
}

const suspend = (id: number, token: string) => post(`/api/sites/${id}/suspend`, {}, { token });
const activate = (id: number, token: string, body: object = {}) =>
  post(`/api/sites/${id}/activate`, body, { token });
const findSiteState = (id: number) =>
  prisma().site.findUniqueOrThrow({
    where: { id },
    select: { isActive: true, suspendedReason: true, subscriptionId: true },
  });
const makeSuspendedSite = (userId: number, suspendedReason: SuspensionReason, data: object = {}) =>
  makeSite(userId, { isActive: false, suspendedReason, ...data });
const makeLicence = (siteId: number, userId: number, data: object = {}) =>
  prisma().siteLicence.create({
    data: {
      siteId,
      userId,
      priceTry: 3999,
      periodStart: fromNow(-DAY),
      periodEnd: fromNow(364 * DAY),
      payBy: fromNow(13 * DAY),
      ...data,
    },
  });

describe("the time of a suspension", () => {
  const findSuspension = (id: number) =>
    prisma().site.findUniqueOrThrow({ where: { id }, select: { suspendedAt: true, suspendedBy: true } });

  it.each(["owner", "parent", "reseller", "administrator"] as const)(
    "is stored with the account that suspended it: %s",
    async (suspendedBy) => {
      const reseller = await makeResellerAccount();
      const parent = await makeProvenUser({ resellerId: reseller.id });
      const owner = await makeProvenUser({ parentUserId: parent.id, resellerId: reseller.id });
      const administrator = await makeProvenUser({ role: "admin" });
      await makeSubscription(owner.id);
      const site = await makeSite(owner.id);
      const callers = { owner, parent, reseller, administrator };
      await suspend(site.id, callers[suspendedBy].token);
      const { data } = (await get(`/api/sites/${site.id}`, owner.token)).json;
      expect(data).toMatchObject({ suspended_at: expect.any(String), suspended_by: suspendedBy });
      expect((await activate(site.id, administrator.token)).status).toBe(200);
      expect(await findSuspension(site.id)).toEqual({ suspendedAt: null, suspendedBy: null });
    },
  );

  it("starts again with a new reason, and names no account if none suspended the site", async () => {
    const owner = await makeProvenUser();
    const site = await makeSite(owner.id);
    await suspend(site.id, owner.token);
    await prisma().site.update({ where: { id: site.id }, data: { suspendedAt: fromNow(-DAY) } });
    await prisma().site.update({ where: { id: site.id }, data: { suspendedReason: "licence_unpaid" } });
    const { suspendedAt, suspendedBy } = await findSuspension(site.id);
    expect(suspendedBy).toBeNull();
    expect(suspendedAt!.getTime()).toBeGreaterThan(fromNow(-DAY / 2).getTime());
  });
});

describe("suspending a site", () => {
  it("keeps the slot and stores the reason; a second call changes nothing", async () => {
    const owner = await makeProvenUser();
    const { id: subscriptionId } = await makeSubscription(owner.id, { slots: 1 });
    const site = await makeSite(owner.id, { subscriptionId });
    const { status, json } = await suspend(site.id, owner.token);
    expect({ status, json }).toEqual({
      status: 200,
      json: {
        success: true,
        message: expect.any(String),
        site: { id: site.id, is_active: false, suspended_reason: "owner", subscription_id: subscriptionId },
      },
    });
    expect((await suspend(site.id, owner.token)).json.site.suspended_reason).toBe("owner");
    const { usedSlots } = await prisma().subscription.findUniqueOrThrow({ where: { id: subscriptionId } });
    expect(usedSlots).toBe(1);
    const auditEvents = await prisma().auditEvent.findMany({
      where: { action: "site.suspended", objectId: String(site.id) },
    });
    expect(auditEvents.map(({ details }) => details)).toEqual([{ reason: "owner" }]);
    expect(await deliverAndReadMails(server, owner.email, "site_suspended")).toEqual([]);
  });

  it.each([
    ["reseller", "owner"],
    ["admin", "administrator"],
  ] as const)("by a %s mails the owner and stores the reason %s", async (role, reason) => {
    const caller = role === "reseller" ? await makeResellerAccount() : await makeProvenUser({ role });
    const owner = await makeProvenUser({ resellerId: role === "reseller" ? caller.id : null });
    const site = await makeSite(owner.id);
    expect((await suspend(site.id, caller.token)).json.site.suspended_reason).toBe(reason);
    expect(await deliverAndReadMails(server, owner.email, "site_suspended")).toHaveLength(1);
    expect((await activate(site.id, owner.token)).status).toBe(403);
    await makeSubscription(owner.id);
    const ownActivation = await activate(site.id, owner.token);
    if (role === "admin") {
      expect({ status: ownActivation.status, json: ownActivation.json }).toEqual({
        status: 403,
        json: { success: false, error: expect.any(String) },
      });
      expect((await activate(site.id, caller.token)).status).toBe(200);
      expect(await deliverAndReadMails(server, owner.email, "site_activated")).toHaveLength(1);
    } else {
      expect(ownActivation.status).toBe(200);
      expect(await deliverAndReadMails(server, owner.email, "site_activated")).toHaveLength(0);
    }
  });

  it.each(["owner", "subscription_ended", "licence_unpaid"] as const)(
    "by an administrator replaces the reason %s, once",
    async (firstReason) => {
      const [owner, admin] = [await makeProvenUser(), await makeProvenUser({ role: "admin" })];
      const { id: subscriptionId } = await makeSubscription(owner.id);
      const site = await makeSuspendedSite(owner.id, firstReason, { subscriptionId });
      for (let round = 0; round < 2; round++)
        expect((await suspend(site.id, admin.token)).json.site.suspended_reason).toBe("administrator");
      const auditEvents = await prisma().auditEvent.findMany({
        where: { action: "site.suspended", objectId: String(site.id) },
      });
      expect(auditEvents.map(({ details }) => details)).toEqual([{ reason: "administrator" }]);
      expect(await deliverAndReadMails(server, owner.email, "site_suspended")).toHaveLength(1);
      expect((await activate(site.id, owner.token)).status).toBe(403);
      expect((await suspend(site.id, owner.token)).json.site.suspended_reason).toBe("administrator");
    },
  );

  it("by an administrator of their own site stores the reason owner", async () => {
    const admin = await makeProvenUser({ role: "admin" });
    const site = await makeSite(admin.id);
    expect((await suspend(site.id, admin.token)).json.site.suspended_reason).toBe("owner");
  });
});

describe("activating a site", () => {
  it("needs no new payment while a slot in its grace period, a paid licence or one not yet due pays", async () => {
    const owner = await makeProvenUser();
    const { id: subscriptionId } = await makeSubscription(owner.id, { slots: 1 });
    const graceColumns = {
      status: "past_due",
      startsAt: fromNow(-99 * DAY),
      endsAt: fromNow(-6 * DAY),
    } as const;
    await prisma().subscription.update({ where: { id: subscriptionId }, data: graceColumns });
    const slotSite = await makeSuspendedSite(owner.id, "owner", { subscriptionId });
    const licensedSite = await makeSuspendedSite(owner.id, "licence_unpaid");
    await makeLicence(licensedSite.id, owner.id, { status: "active", payBy: fromNow(-DAY) });
    const payableSite = await makeSuspendedSite(owner.id, "owner");
    await makeLicence(payableSite.id, owner.id);
    for (const [id, siteSubscriptionId] of [
      [slotSite.id, subscriptionId],
      [licensedSite.id, null],
      [payableSite.id, null],
    ] as const) {
      const { status, json } = await activate(id, owner.token);
      expect({ status, billing: json.billing, site: json.site }).toEqual({
        status: 200,
        billing: null,
        site: { id, is_active: true, suspended_reason: null, subscription_id: siteSubscriptionId },
      });
    }
    const repeatedActivation = await activate(slotSite.id, owner.token);
    expect(repeatedActivation).toMatchObject({ status: 200, json: { billing: null } });
  });

  it.each(["subscription_ended", "licence_unpaid", "owner"] as const)(
    "suspended as %s takes a free slot and closes its unpaid licence",
    async (reason) => {
      const owner = await makeProvenUser();
      const { id: oldSubscriptionId } = await makeSubscription(owner.id, { slots: 1 });
      const site = await makeSuspendedSite(owner.id, reason, { subscriptionId: oldSubscriptionId });
      await prisma().subscription.update({ where: { id: oldSubscriptionId }, data: { status: "expired" } });
      const { id: licenceId } = await makeLicence(site.id, owner.id, { payBy: fromNow(-DAY) });
      const { status, json } = await activate(site.id, owner.token);
      expect({ status, requires_upgrade: json.requires_upgrade }).toEqual({
        status: 403,
        requires_upgrade: true,
      });
      expect(await findSiteState(site.id)).toMatchObject({ isActive: false, suspendedReason: reason });

      const { id: newSubscriptionId } = await makeSubscription(owner.id, { slots: 2 });
      const activation = await activate(site.id, owner.token);
      expect({
        status: activation.status,
        subscription_id: activation.json.site.subscription_id,
        billing: activation.json.billing,
      }).toEqual({
        status: 200,
        subscription_id: newSubscriptionId,
        billing: { mode: "subscription_slot", remaining_slots: 1 },
      });
      const rows = await prisma().subscription.findMany({
        where: { userId: owner.id },
        orderBy: { id: "asc" },
      });
      expect(rows.map(({ usedSlots }) => usedSlots)).toEqual([0, 1]);
      const closedLicence = await prisma().siteLicence.findUniqueOrThrow({ where: { id: licenceId } });
      expect(closedLicence).toMatchObject({
        status: "absorbed",
        closedReason: "absorbed",
        absorbedById: newSubscriptionId,
      });
    },
  );

  it("without a slot, opens a licence for a reseller who confirms it and has signed the agreement", async () => {
    const reseller = await makeResellerAccount();
    const unsignedReseller = await makeResellerAccount({ signed: false });
    const site = await makeSuspendedSite(reseller.id, "licence_unpaid");
    const expiredData = { status: "expired", periodStart: fromNow(-366 * DAY), periodEnd: fromNow(-DAY) };
    const oldLicence = await makeLicence(site.id, reseller.id, expiredData);
    const response = await activate(site.id, reseller.token);
    expect({ status: response.status, json: response.json }).toEqual({
      status: 402,
      json: {
        success: false,
        error: expect.any(String),
        requires_confirmation: true,
        billing_mode: "pay_per_site",
        annual_price_try: 3999,
      },
    });
    const unsignedSite = await makeSuspendedSite(unsignedReseller.id, "subscription_ended");
    const refusal = await activate(unsignedSite.id, unsignedReseller.token, { confirm_pay_per_site: true });
    expect({ status: refusal.status, requires_upgrade: refusal.json.requires_upgrade }).toEqual({
      status: 403,
      requires_upgrade: undefined,
    });
    const { status, json } = await activate(site.id, reseller.token, { confirm_paid_site: true });
    expect([status, json.billing]).toMatchObject([
      200,
      { mode: "pay_per_site", annual_price_try: 3999, license_status: "pending" },
    ]);
    const rows = await prisma().siteLicence.findMany({ where: { siteId: site.id }, orderBy: { id: "asc" } });
    expect(rows.map(({ id, status, closedReason, userId }) => [id, status, closedReason, userId])).toEqual([
      [oldLicence.id, "expired", null, reseller.id],
      [json.billing.license_id, "pending", null, reseller.id],
    ]);
  });

  it("refuses a new licence until the reseller has paid the site's old one", async () => {
    const [reseller, otherReseller] = [await makeResellerAccount(), await makeResellerAccount()];
    const customer = await makeProvenUser({ resellerId: reseller.id, locale: "en" });
    const site = await makeSuspendedSite(customer.id, "licence_unpaid");
    const openLicence = await makeLicence(site.id, reseller.id, { payBy: fromNow(-DAY) });
    for (const body of [{}, { confirm_pay_per_site: true }, { confirm_paid_site: true }]) {
      const { status, json } = await activate(site.id, reseller.token, body);
      expect({ status, json }).toEqual({
        status: 402,
        json: {
          success: false,
          error: expect.stringContaining(openLicence.reference),
          reference: openLicence.reference,
          annual_price_try: 3999,
        },
      });
    }
    const responses = await runConcurrently(20, () =>
      activate(site.id, reseller.token, { confirm_pay_per_site: true }),
    );
    expect(countByStatus(responses)).toEqual({ 402: 20 });
    expect(await prisma().siteLicence.count({ where: { siteId: site.id } })).toBe(1);
    const newSite = { name: "New", domain: "other-site.example.com", confirm_pay_per_site: true };
    expect(await post("/api/sites", newSite, { token: reseller.token })).toMatchObject({
      status: 402,
      json: { reference: openLicence.reference },
    });
    expect((await activate(site.id, customer.token)).json.requires_upgrade).toBe(true);
    // The next reseller does not pay the previous one's debt.
    await prisma().user.update({ where: { id: customer.id }, data: { resellerId: otherReseller.id } });
    const activation = await activate(site.id, otherReseller.token, { confirm_pay_per_site: true });
    expect(activation).toMatchObject({ status: 200, json: { billing: { mode: "pay_per_site" } } });
    const rows = await prisma().siteLicence.findMany({ where: { siteId: site.id }, orderBy: { id: "asc" } });
    expect(rows.map(({ status, closedReason, userId }) => [status, closedReason, userId])).toEqual([
      ["cancelled", "unpaid", reseller.id],
      ["pending", null, otherReseller.id],
    ]);
  });

  it("keeps a paid later year despite a slot or another reseller's licence", async () => {
    const [reseller, otherReseller] = [await makeResellerAccount(), await makeResellerAccount()];
    const customer = await makeProvenUser({ resellerId: otherReseller.id });
    const site = await makeSuspendedSite(customer.id, "licence_unpaid");
    const [firstYearEnd, secondYearEnd] = [fromNow(10 * DAY), fromNow(375 * DAY)];
    const unpaidLicence = await makeLicence(site.id, reseller.id, {
      payBy: fromNow(-DAY),
      periodEnd: firstYearEnd,
    });
    const paidLicence = await makeLicence(site.id, reseller.id, {
      status: "active",
      periodStart: firstYearEnd,
      periodEnd: secondYearEnd,
    });
    const listStatuses = () =>
      prisma().siteLicence.findMany({
        where: { id: { in: [unpaidLicence.id, paidLicence.id] } },
        orderBy: { id: "asc" },
        select: { status: true },
      });
    const refusal = await activate(site.id, otherReseller.token, { confirm_pay_per_site: true });
    expect({ status: refusal.status, reference: refusal.json.reference }).toEqual({
      status: 402,
      reference: unpaidLicence.reference,
    });
    expect(await listStatuses()).toEqual([{ status: "pending" }, { status: "active" }]);
    const { id: subscriptionId } = await makeSubscription(customer.id, { slots: 1 });
    expect((await activate(site.id, customer.token)).json.site.subscription_id).toBe(subscriptionId);
    expect(await listStatuses()).toEqual([{ status: "pending" }, { status: "active" }]);
  });

  it("of a customer's site uses a slot of the customer, never of the reseller, or a licence of the reseller", async () => {
    const reseller = await makeResellerAccount();
    await makeSubscription(reseller.id);
    const customer = await makeProvenUser({ resellerId: reseller.id });
    const site = await makeSuspendedSite(customer.id, "subscription_ended");
    expect((await activate(site.id, customer.token)).status).toBe(403);
    expect((await activate(site.id, reseller.token)).status).toBe(402);
    const { id } = await makeSubscription(customer.id, { slots: 1 });
    expect((await activate(site.id, reseller.token)).json.site.subscription_id).toBe(id);
    const secondSite = await makeSuspendedSite(customer.id, "subscription_ended");
    const { json } = await activate(secondSite.id, reseller.token, { confirm_pay_per_site: true });
    const newLicence = await prisma().siteLicence.findUniqueOrThrow({
      where: { id: json.billing.license_id },
    });
    expect(newLicence).toMatchObject({ siteId: secondSite.id, userId: reseller.id, status: "pending" });
  });
});

describe("concurrent calls", () => {
  it("50 activations give the last slot to one site", async () => {
    const owner = await makeProvenUser();
    const { id } = await makeSubscription(owner.id, { slots: 3 });
    await makeSite(owner.id, { subscriptionId: id });
    await makeSite(owner.id, { subscriptionId: id });
    const sites = await Promise.all(
      Array.from({ length: 50 }, () => makeSuspendedSite(owner.id, "subscription_ended")),
    );
    const responses = await runConcurrently(50, (n) => activate(sites[n]!.id, owner.token));
    expect(countByStatus(responses)).toEqual({ 200: 1, 403: 49 });
    expect(await prisma().site.count({ where: { subscriptionId: id } })).toBe(3);
    expect(await prisma().site.count({ where: { userId: owner.id, isActive: true } })).toBe(3);
  });

  it("20 activations and 20 creations give the last slot to one site", async () => {
    const owner = await makeProvenUser();
    const { id } = await makeSubscription(owner.id, { slots: 1 });
    const sites = await Promise.all(
      Array.from({ length: 20 }, () => makeSuspendedSite(owner.id, "subscription_ended")),
    );
    const responses = await runConcurrently(40, (n) =>
      n % 2
        ? activate(sites[n >> 1]!.id, owner.token)
        : post("/api/sites", { name: "New", domain: `race-${n}.example.com` }, { token: owner.token }),
    );
    const { 200: activatedCount = 0, 201: createdCount = 0, 403: refusedCount } = countByStatus(responses);
    expect(activatedCount + createdCount).toBe(1);
    expect(refusedCount).toBe(39);
    expect(await prisma().site.count({ where: { subscriptionId: id } })).toBe(1);
  });

  it("20 confirmed activations of a site open one licence", async () => {
    const reseller = await makeResellerAccount();
    const site = await makeSuspendedSite(reseller.id, "licence_unpaid");
    const responses = await runConcurrently(20, () =>
      activate(site.id, reseller.token, { confirm_pay_per_site: true }),
    );
    expect(countByStatus(responses)).toEqual({ 200: 20 });
    expect(await prisma().siteLicence.count({ where: { siteId: site.id } })).toBe(1);
  });

  it("10 suspensions and 10 activations leave a consistent state", async () => {
    const owner = await makeProvenUser();
    const { id: subscriptionId } = await makeSubscription(owner.id, { slots: 1 });
    const site = await makeSite(owner.id, { subscriptionId });
    const responses = await runConcurrently(20, (n) =>
      n % 2 ? activate(site.id, owner.token) : suspend(site.id, owner.token),
    );
    expect(countByStatus(responses)).toEqual({ 200: 20 });
    const { isActive, suspendedReason, subscriptionId: subscriptionAfter } = await findSiteState(site.id);
    expect({ suspendedReason, still: subscriptionAfter }).toEqual({
      suspendedReason: isActive ? null : "owner",
      still: subscriptionId,
    });
    const countAuditEvents = (action: string) =>
      prisma().auditEvent.count({ where: { action, objectId: String(site.id) } });
    const [suspensionCount, activationCount] = [
      await countAuditEvents("site.suspended"),
      await countAuditEvents("site.activated"),
    ];
    expect(suspensionCount - activationCount, "each change follows its opposite").toBe(isActive ? 0 : 1);
  });
});
