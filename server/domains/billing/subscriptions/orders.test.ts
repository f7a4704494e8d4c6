import { beforeEach, describe, expect, it } from "vitest";
import { DAY, fromNow } from "@/server/core/time";
import { prisma } from "@/server/infrastructure/database/client";
import { countByStatus, runConcurrently } from "@/server/testing/burst";
import {
  makeLicence,
  makeProvenUser,
  makeSite,
  makeSubscription,
  makeToken,
} from "@/server/testing/factories";
import { deliverAndReadMails } from "@/server/testing/mailbox";
import { resetRateLimits } from "@/server/testing/rate-limits";
import { startTestServer } from "@/server/testing/server";
import { advanceSubscriptionsJob } from "./jobs";
import { OPEN_ORDERS_MAX } from "./policy";

const server = await startTestServer({ env: { DATABASE_TIMEOUT: "60" } });
const { call, get, post } = server;
beforeEach(() => resetRateLimits());

const findPlanId = async (slug: string) =>
  (await prisma().subscriptionPlan.findUniqueOrThrow({ where: { slug } })).id;
const proPlanId = await findPlanId("pro");
const placeOrder = (token: string, plan_id = proPlanId) =>
  post("/api/billing/orders", { plan_id }, { token });
const withdrawOrder = (token: string, id: number) => call("DELETE", `/api/billing/orders/${id}`, { token });

/** The last digit is a Luhn check digit. */
function isValidReference(reference: string): boolean {
  const digits = [...reference.slice(1)].reverse().map(Number);
  const sum = digits.reduce((total, digit, index) => {
    const value = index % 2 ? digit * 2 : digit;
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return /^T\d{8}$/.test(reference) && sum % 10 === 0;
}

describe("an order", () => {
  it("has a reference, a price and 30 days, is mailed, and provides no slots before payment", async () => {
    const { id: userId, email, token } = await makeProvenUser({ locale: "en" });
    const { status, json } = await placeOrder(token);
    expect(status).toBe(201);
    expect(Object.keys(json)).toEqual(["success", "order"]);
    expect(json.order).toMatchObject({ amount: 9999, currency: "TRY", bank: null });
    expect(isValidReference(json.order.reference)).toBe(true);
    expect(Math.round((Date.parse(json.order.expires_at) - Date.now()) / DAY)).toBe(30);
    const [mail] = await deliverAndReadMails(server, email, "order_placed");
    expect(mail!.text).toContain(json.order.reference);
    expect(mail!.text).toMatch(/TRY\s9,999\.00/);
    expect((await get("/api/sites/billing-forecast", token)).json).toMatchObject({ total_slots: 0 });
    const terms = {
      status: "pending",
      planName: "Pro",
      priceMinor: 999_900,
      monthlyCredits: 10_000,
      siteSlots: 5,
    };
    expect(await prisma().subscription.findFirst({ where: { userId } })).toMatchObject(terms);
  });

  it("is forbidden for agents, administrators and read-only tokens", async () => {
    const parent = await makeProvenUser();
    const agent = await makeProvenUser({ isAgentOnly: true, parentUserId: parent.id });
    const admin = await makeProvenUser({ role: "admin" });
    const readOnlyToken = await makeToken(parent.id, { abilities: ["read", "sites:write"] });
    for (const token of [admin.token, readOnlyToken]) expect((await placeOrder(token)).status).toBe(403);
    const { status, json } = await placeOrder(agent.token);
    expect([status, json.contact.email]).toEqual([403, parent.email]);
  });

  it("requires a plan on offer", async () => {
    const { token } = await makeProvenUser();
    const premiumPlanId = await findPlanId("premium");
    for (const planChange of [{ isActive: false }, { isActive: true, eligible: false }]) {
      await prisma().subscriptionPlan.update({ where: { id: premiumPlanId }, data: planChange });
      const { status, json } = await placeOrder(token, premiumPlanId);
      expect(status).toBe(422);
      expect(Object.keys(json.errors)).toEqual(["plan_id"]);
    }
    await prisma().subscriptionPlan.update({ where: { id: premiumPlanId }, data: { eligible: true } });
    expect((await placeOrder(token, premiumPlanId)).status).toBe(201);
  });

  it("is one of at most five open orders, also with concurrent requests", async () => {
    const { id: userId, token } = await makeProvenUser();
    const responses = await runConcurrently(10, () => placeOrder(token));
    expect(countByStatus(responses)).toEqual({ 201: 5, 422: 5 });
    expect(await prisma().subscription.count({ where: { userId, status: "pending" } })).toBe(5);
    // The eleventh request exceeds the limit of `createOrder`: ten an hour.
    expect((await placeOrder(token)).status).toBe(429);
  });

  it("replaces open orders of its account, even the last of five", async () => {
    const { id: userId, token } = await makeProvenUser();
    const planId = await findPlanId("pro");
    const ids: number[] = [];
    for (let count = 0; count < OPEN_ORDERS_MAX; count++)
      ids.push((await placeOrder(token, planId)).json.order.id);
    await resetRateLimits();
    const { token: otherToken } = await makeProvenUser();
    const { id: otherId } = (await placeOrder(otherToken, planId)).json.order;
    const replace = (replacedIds: number[]) =>
      post("/api/billing/orders", { plan_id: planId, replaces_order_ids: replacedIds }, { token });
    expect((await replace([ids[0]!, otherId])).json.errors).toHaveProperty("replaces_order_ids");
    expect(await prisma().subscription.count({ where: { userId, status: "pending" } })).toBe(OPEN_ORDERS_MAX);
    const { status, json } = await replace(ids);
    expect(status).toBe(201);
    expect(await prisma().subscription.findMany({ where: { userId, status: "pending" } })).toMatchObject([
      { id: json.order.id },
    ]);
    expect((await replace([ids[0]!])).status).toBe(422);
  });

  it("is replaced or activated, never both, and replaced once by concurrent orders", async () => {
    const { id: userId, token } = await makeProvenUser();
    const { token: adminToken } = await makeProvenUser({ role: "admin" });
    const planId = await findPlanId("pro");
    for (let round = 0; round < 3; round++) {
      await resetRateLimits();
      const { id } = (await placeOrder(token, planId)).json.order;
      const [activation, ...replies] = await Promise.all([
        post(
          "/api/admin/subscriptions/manual-activate",
          { user_id: userId, plan_id: planId, order_id: id },
          { token: adminToken },
        ),
        ...Array.from({ length: 5 }, () =>
          post("/api/billing/orders", { plan_id: planId, replaces_order_ids: [id] }, { token }),
        ),
      ]);
      const replacedCount = replies.filter(({ status }) => status === 201).length;
      expect((activation!.status === 201 ? 1 : 0) + replacedCount).toBe(1);
      expect(await prisma().subscription.count({ where: { userId, status: "pending" } })).toBe(replacedCount);
      await prisma().subscription.updateMany({
        where: { userId, status: "pending" },
        data: { status: "cancelled" },
      });
    }
  });

  it("is withdrawn once, and only by its account", async () => {
    const [owner, outsider] = [await makeProvenUser(), await makeProvenUser()];
    const { id } = (await placeOrder(owner.token)).json.order;
    expect((await withdrawOrder(outsider.token, id)).status).toBe(403);
    const responses = await runConcurrently(5, () => withdrawOrder(owner.token, id));
    expect(countByStatus(responses)).toEqual({ 200: 1, 422: 4 });
    expect(await prisma().subscription.findUnique({ where: { id } })).toMatchObject({
      status: "cancelled",
      closedReason: "cancelled",
    });
  });

  it("lapses once when unpaid, with a mail that names its reference", async () => {
    const { email, token } = await makeProvenUser({ locale: "en" });
    const { id, reference } = (await placeOrder(token)).json.order;
    await prisma().subscription.update({
      where: { id },
      data: { startsAt: fromNow(-31 * DAY), endsAt: fromNow(-1) },
    });
    await Promise.all([advanceSubscriptionsJob(), advanceSubscriptionsJob()]);
    const mails = await deliverAndReadMails(server, email, "order_lapsed");
    expect(mails).toHaveLength(1);
    expect(mails[0]!.text).toContain(reference);
    expect((await get("/api/billing", token)).json.orders).toEqual([]);
  });

  it("cannot be withdrawn once activated", async () => {
    const { token } = await makeProvenUser();
    const { id } = (await placeOrder(token)).json.order;
    await prisma().subscription.update({ where: { id }, data: { status: "active" } });
    expect((await withdrawOrder(token, id)).status).toBe(422);
    expect(await prisma().subscription.findUnique({ where: { id } })).toMatchObject({ status: "active" });
  });
});

const admin = await makeProvenUser({ role: "admin" });
const putPlan = (id: number, body: object) =>
  call("PUT", `/api/admin/plans/${id}`, { token: admin.token, body });

describe("plans", () => {
  it("reject a change based on stale texts, ignoring the order of keys", async () => {
    const premiumPlanId = await findPlanId("premium");
    const firstTexts = { de: { description: "Für alle.", features: ["Alles"] }, fr: { features: ["Tout"] } };
    expect((await putPlan(premiumPlanId, { texts: firstTexts })).status).toBe(200);
    const nextTexts = { de: { description: "Für die Größten.", features: null } };
    const expectedTexts = {
      de: { description: "Für alle.", features: ["Alles"] },
      fr: { description: null, features: ["Tout"] },
    };
    expect(
      (await putPlan(premiumPlanId, { texts: nextTexts, expected: { texts: expectedTexts } })).status,
    ).toBe(200);
    const staleResponse = await putPlan(premiumPlanId, { texts: {}, expected: { texts: expectedTexts } });
    expect([staleResponse.status, staleResponse.json.current.texts]).toMatchObject([
      409,
      { de: { description: "Für die Größten." } },
    ]);
    await putPlan(premiumPlanId, { texts: {} });
  });

  const listPlans = async (token: string) => (await get("/api/subscription-plans", token)).json.data;

  it("on offer are listed for customers, with the administrator's texts", async () => {
    const { token } = await makeProvenUser({ locale: "de" });
    const starterPlanId = await findPlanId("starter");
    const texts = { de: { description: "Klein anfangen.", features: ["1 Website", "Chat"] } };
    expect((await putPlan(starterPlanId, { texts, eligible: false })).status).toBe(200);
    expect((await listPlans(token)).map(({ name }: { name: string }) => name)).toEqual([
      "Pro",
      "Premium",
      "Ultimate",
    ]);
    await putPlan(starterPlanId, { eligible: true });
    const [firstPlan] = await listPlans(token);
    expect(firstPlan).toMatchObject({ name: "Starter", ...texts.de });
    expect((await listPlans(token))[1].features).toContain("5 Websites");
  });

  it("change for new buyers only", async () => {
    const { id: userId, token } = await makeProvenUser();
    const { id } = await makeSubscription(userId, { plan: "ultimate" });
    const subscriptionBefore = await prisma().subscription.findUniqueOrThrow({ where: { id } });
    const ultimatePlanId = await findPlanId("ultimate");
    const { status, json } = await putPlan(ultimatePlanId, {
      price: 70_000,
      site_slots: 60,
      monthly_credits: 1,
      slug: "top",
    });
    expect(status).toBe(200);
    expect(json).toMatchObject({
      kept_terms_count: 1,
      plan: {
        price: 70_000,
        site_slots: 60,
        monthly_credits: 1,
        slug: "top",
        live_count: 1,
        name: "Ultimate",
      },
    });
    expect(await prisma().subscription.findUniqueOrThrow({ where: { id } })).toEqual(subscriptionBefore);
    const orderResponse = await placeOrder(token, ultimatePlanId);
    expect(orderResponse.json.order.amount).toBe(70_000);
    const where = { action: "plan.changed", objectId: String(ultimatePlanId) };
    expect(await prisma().auditEvent.count({ where })).toBe(1);
    // Default translations are bound to the slug.
    await putPlan(ultimatePlanId, { slug: "ultimate" });
  });

  it("on offer must have one of the four names, and names and slugs are unique", async () => {
    const premiumPlanId = await findPlanId("premium");
    for (const [body, field] of [
      [{ name: "Gold" }, "name"],
      [{ name: "Pro" }, "name"],
      [{ slug: "pro" }, "slug"],
      [{ features: ["flying"] }, "features.0"],
      [{ price: 0 }, "price"],
    ] as const) {
      const { status, json } = await putPlan(premiumPlanId, body);
      expect(status, field).toBe(422);
      expect(Object.keys(json.errors), field).toEqual([field]);
    }
    expect((await putPlan(premiumPlanId, { name: "Gold", eligible: false })).status).toBe(200);
    expect((await putPlan(premiumPlanId, { eligible: true })).status).toBe(422);
    expect((await putPlan(premiumPlanId, { name: "Premium", eligible: true })).status).toBe(200);
  });

  it("reject a change based on a stale price", async () => {
    const { status, json } = await putPlan(proPlanId, { price: 12_000, expected: { price: 1 } });
    expect({ status, price: json.current.price }).toEqual({ status: 409, price: 9999 });
    expect((await putPlan(proPlanId, { price: 9999, expected: { price: 1 } })).status).toBe(200);
  });

  it("are all listed for administrators", async () => {
    const { json } = await get("/api/admin/plans", admin.token);
    expect(json.count).toBe(4);
  });
});

describe("billing overview", () => {
  it("forecasts which sites move and which are suspended at the end", async () => {
    const { id: userId, token } = await makeProvenUser();
    const { id: firstSubscriptionId } = await makeSubscription(userId, { slots: 3, days: 10 });
    const sites = [];
    for (let index = 0; index < 3; index++)
      sites.push((await makeSite(userId, { subscriptionId: firstSubscriptionId })).id);
    const { id: secondSubscriptionId } = await makeSubscription(userId, {
      plan: "starter",
      slots: 1,
      days: 300,
    });
    const { status, json } = await get("/api/billing", token);
    expect(status).toBe(200);
    expect(json).toMatchObject({
      plan: { name: "Starter" },
      slots: { total: 4, used: 3, remaining: 1 },
      bank: null,
      orders: [],
      licences: [],
      documents: [],
    });
    const [newerSubscription, olderSubscription] = json.subscriptions;
    expect([newerSubscription.id, olderSubscription.id]).toEqual([secondSubscriptionId, firstSubscriptionId]);
    const getIds = (list: { id: number }[]) => list.map(({ id }) => id);
    expect(olderSubscription).toMatchObject({ at_end: { moved_count: 1, suspended_count: 2 } });
    expect(getIds(olderSubscription.at_end.moved)).toEqual([sites[0]]);
    expect(getIds(olderSubscription.at_end.suspended)).toEqual([sites[2], sites[1]]);
    expect(newerSubscription.at_end).toEqual({
      moved_count: 0,
      moved: [],
      suspended_count: 0,
      suspended: [],
    });
    expect(Date.parse(olderSubscription.slots_until) - Date.parse(olderSubscription.ends_at)).toBe(7 * DAY);
  });

  it("leaves sites with a paid licence out of the forecast", async () => {
    const { id: userId, token } = await makeProvenUser({ role: "reseller" });
    const { id: subscriptionId } = await makeSubscription(userId, { slots: 3, days: 10 });
    const [unlicensedSite, licensedSite, siteOfEndingLicence] = [
      await makeSite(userId, { subscriptionId }),
      await makeSite(userId, { subscriptionId }),
      await makeSite(userId, { subscriptionId }),
    ];
    const paidFields = { status: "active", paidAt: new Date() } as const;
    await makeLicence(userId, { ...paidFields, siteId: licensedSite.id });
    await makeLicence(userId, {
      ...paidFields,
      siteId: siteOfEndingLicence.id,
      periodEnd: fromNow(12 * DAY),
    });
    const { json } = await get("/api/billing", token);
    const { at_end } = json.subscriptions[0];
    expect(at_end).toMatchObject({ moved_count: 0, suspended_count: 2 });
    expect(at_end.suspended.map(({ id }: { id: number }) => id)).toEqual([
      siteOfEndingLicence.id,
      unlicensedSite.id,
    ]);
  });

  it("shows the account's own orders, licences and invoices", async () => {
    const [owner, outsider] = [await makeProvenUser({ role: "reseller" }), await makeProvenUser()];
    const bank = { holder: "Tellal A.Ş.", iban: "TR330006100519786457841326", bank: "Örnek Bankası" };
    const provenToken = await makeToken(admin.id, { provenAt: new Date() });
    expect((await call("PUT", "/api/admin/settings", { token: provenToken, body: { bank } })).status).toBe(
      200,
    );
    const placedOrder = (await placeOrder(owner.token)).json.order;
    expect(placedOrder.bank).toEqual(bank);
    const site = await makeSite(owner.id);
    const periodFields = { periodStart: new Date(), periodEnd: fromNow(365 * DAY), payBy: fromNow(14 * DAY) };
    const licence = await prisma().siteLicence.create({
      data: { siteId: site.id, userId: owner.id, priceTry: 3999, ...periodFields },
    });
    const paymentFields = {
      amountMinor: 100,
      paidAt: new Date("2026-11-20"),
      billToSealed: new Uint8Array([1]),
    };
    await prisma().payment.create({
      data: {
        userId: owner.id,
        licenceId: licence.id,
        ...paymentFields,
        document: {
          create: {
            state: "queued",
            grossMinor: 12_000,
            netMinor: 10_000,
            vatMinor: 2000,
            vatRate: 20,
            deadlineAt: new Date(),
          },
        },
      },
    });
    const { json } = await get("/api/billing", owner.token);
    expect(json.bank).toEqual(bank);
    expect(json.orders).toMatchObject([
      { id: placedOrder.id, plan: "Pro", reference: placedOrder.reference },
    ]);
    expect(json.licences_count).toBe(1);
    expect(json.licences).toMatchObject([
      {
        id: licence.id,
        site: { id: site.id },
        status: "pending",
        amount: 3999,
        reference: licence.reference,
      },
    ]);
    expect(json.documents).toMatchObject([{ state: "queued", amount: 120, paid_at: "2026-11-20" }]);
    const outsiderBilling = (await get("/api/billing", outsider.token)).json;
    expect({
      orders: outsiderBilling.orders,
      licences: outsiderBilling.licences,
      documents: outsiderBilling.documents,
      plan: outsiderBilling.plan,
    }).toEqual({ orders: [], licences: [], documents: [], plan: null });
  });

  it("is forbidden for agents, with the owner as contact", async () => {
    const owner = await makeProvenUser({ name: "Ayşe Kaya" });
    const agent = await makeProvenUser({ isAgentOnly: true, parentUserId: owner.id });
    const { status, json } = await get("/api/billing", agent.token);
    expect({ status, success: json.success, contact: json.contact }).toEqual({
      status: 403,
      success: false,
      contact: { name: "Ayşe Kaya", email: owner.email },
    });
  });
});

describe("the preview of an order", () => {
  const preview = async (token: string, plan_id = proPlanId) =>
    (await get(`/api/billing/checkout?plan_id=${plan_id}`, token)).json.checkout;

  it("has the price with VAT and the missing billing details, which the order saves", async () => {
    const { id: userId, token } = await makeProvenUser();
    expect(await preview(token)).toMatchObject({
      amount: 9999,
      net_amount: 8332.5,
      vat_amount: 1666.5,
      vat_rate: 20,
      period_months: 12,
      current: [],
      orders: [],
      restored_count: 0,
      missing_details: ["address", "district", "city"],
    });
    const bill_to = {
      kind: "person",
      title: "Ayşe Kaya",
      address: "İstiklal Cad. 1",
      district: "Beyoğlu",
      city: "İstanbul",
    };
    const { json } = await post("/api/billing/orders", { plan_id: proPlanId, bill_to }, { token });
    expect(await preview(token)).toMatchObject({
      missing_details: [],
      orders: [{ reference: json.order.reference, plan: "Pro" }],
    });
    expect(await prisma().billingProfile.findUnique({ where: { userId } })).toMatchObject({
      city: "İstanbul",
    });
  });

  it("forecasts the sites of running and ended plans", async () => {
    const { id: userId, token } = await makeProvenUser();
    const starterPlanId = await findPlanId("starter");
    const { id } = await makeSubscription(userId, { plan: "pro", slots: 3, days: 20 });
    for (let index = 0; index < 3; index++) await makeSite(userId, { subscriptionId: id });
    await makeSite(userId, { isActive: false, suspendedReason: "subscription_ended" });
    expect(await preview(token)).toMatchObject({
      current: [{ id, plan: "Pro", is_same_plan: true, is_trial: false, moved_count: 3, suspended_count: 0 }],
      restored_count: 1,
    });
    expect((await preview(token, starterPlanId)).current).toMatchObject([
      // The suspended site takes the only slot.
      { is_same_plan: false, moved_count: 0, suspended_count: 3 },
    ]);
  });

  it("is refused for a plan that is not offered, and for administrators", async () => {
    const { token } = await makeProvenUser();
    expect((await get("/api/billing/checkout?plan_id=2147483647", token)).status).toBe(422);
    const { token: adminToken } = await makeProvenUser({ role: "admin" });
    expect((await get(`/api/billing/checkout?plan_id=${proPlanId}`, adminToken)).status).toBe(403);
  });
});
