import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { addMonths, toTurkishDay } from "@/server/core/calendar";
import { DAY, fromNow } from "@/server/core/time";
import { pool, prisma } from "@/server/infrastructure/database/client";
import { renderStoredMail } from "@/server/infrastructure/mail/outbox";
import { unseal } from "@/server/infrastructure/secrets/seal";
import {
  makeLicence,
  makeProvenUser,
  makeSite,
  makeSubscription,
  makeToken,
  makeUser,
} from "@/server/testing/factories";
import { countRows } from "@/server/testing/hostile-values";
import { resetRateLimits } from "@/server/testing/rate-limits";
import { startTestServer } from "@/server/testing/server";

const { post, call } = await startTestServer();
const PATH = "/api/admin/subscriptions/manual-activate";
const db = prisma();

/** IDs of the seeded plans by slug. The tests expect their prices and slots. */
const planIds = Object.fromEntries(
  (await db.subscriptionPlan.findMany()).map((plan) => [plan.slug, plan.id]),
);
const { token: adminToken, ...admin } = await makeProvenUser({
  role: "admin",
  email: "yonetici@example.com",
});
beforeEach(resetRateLimits);

const activate = (body: object, options: object = {}) => post(PATH, body, { token: adminToken, ...options });

async function expectSlotCountsCorrect() {
  const { rows } = await pool().query(
    "select id from subscriptions u where used_slots <> (select count(*) from sites where subscription_id = u.id)",
  );
  expect(rows).toEqual([]);
}

describe("activation", () => {
  it("returns and stores the subscription, payment, invoice, mail and audit entry", async () => {
    const user = await makeUser({ name: "Ece", locale: "en" });
    const { status, json } = await activate({
      user_id: user.id,
      plan_id: planIds.pro,
      bank_reference: "T 123",
      note: "by hand",
    });
    expect(status).toBe(201);
    expect(json.success).toBe(true);
    expect(Object.keys(json).slice(0, 6)).toEqual([
      "success",
      "message",
      "subscription",
      "payment",
      "absorbed",
      "invoice",
    ]);
    const { subscription, payment } = json;
    expect(subscription).toMatchObject({
      user_id: user.id,
      plan: "Pro",
      status: "active",
      price: 9999,
      site_slots: 5,
      used_slots: 0,
      activated_by_id: admin.id,
    });
    expect(subscription.reference).toMatch(/^T\d{8}$/);
    expect(addMonths(new Date(subscription.starts_at), 12).getTime()).toBe(
      new Date(subscription.ends_at).getTime(),
    );
    expect(payment).toMatchObject({
      amount: 9999,
      currency: "TRY",
      method: "manual_transfer",
      state: "recorded",
      paid_at: toTurkishDay(new Date()),
      subscription_id: subscription.id,
      bank_reference: "T 123",
    });
    expect(json.absorbed).toEqual({ licenses: [], sites: [], not_fitting: [] });
    expect(json.invoice).toEqual({ state: "queued", missing: ["address", "district", "city"] });

    const row = await db.payment.findUniqueOrThrow({
      where: { id: payment.id },
      include: { document: true },
    });
    expect(row.document).toMatchObject({
      grossMinor: 999_900,
      netMinor: 833_250,
      vatMinor: 166_650,
      vatRate: 20,
    });
    expect(JSON.parse(unseal(row.billToSealed, "bill_to"))).toMatchObject({
      title: "Ece",
      email: user.email,
    });
    const [mail] = await db.mailMessage.findMany({ where: { userId: user.id } });
    expect(mail).toMatchObject({
      template: "subscription_activated",
      locale: "en",
      ccAddress: "yonetici@example.com",
    });
    expect(renderStoredMail(mail!.sealed).text).toContain("5 sites");
    expect(renderStoredMail(mail!.sealed).text).toMatch(/active until \d{1,2} [A-Z][a-z]+ \d{4} /);
    const events = await db.auditEvent.findMany({
      where: { actorId: admin.id, objectType: "Subscription", objectId: String(subscription.id) },
    });
    expect(events.map(({ action }) => action)).toEqual(["subscription.activated"]);
  });

  it("creates a second subscription when repeated without a key", async () => {
    const user = await makeUser();
    const body = { user_id: user.id, plan_id: planIds.starter };
    const [firstResponse, secondResponse] = [await activate(body), await activate(body)];
    expect([firstResponse.status, secondResponse.status]).toEqual([201, 201]);
    const where = { userId: user.id };
    expect(await db.subscription.count({ where })).toBe(2);
    expect(await db.payment.count({ where })).toBe(2);
    expect(await db.accountingDocument.count({ where: { payment: where } })).toBe(2);
    expect(await db.mailMessage.count({ where })).toBe(2);
  });

  it("skips the invoice with create_invoice: false and the mail with send_email: false", async () => {
    const user = await makeUser();
    const { json } = await activate({
      user_id: user.id,
      plan_id: planIds.pro,
      create_invoice: false,
      send_email: false,
    });
    expect(json).toMatchObject({ invoice: { state: "skipped" }, payment: { invoice: "skipped" } });
    const document = await db.accountingDocument.findFirst({ where: { payment: { userId: user.id } } });
    expect(document).toMatchObject({
      state: "skipped",
      skippedById: admin.id,
      skipReason: "create_invoice: false",
    });
    expect(document!.skippedAt).not.toBeNull();
    expect(await db.mailMessage.count({ where: { userId: user.id } })).toBe(0);
  });

  it.each([
    [1, 833.25],
    [6, 4999.5],
    [12, 9999],
    [60, 49_995],
  ])("of %i months costs a proportional price by default", async (period_months, amount) => {
    const user = await makeUser();
    const { json } = await activate({ user_id: user.id, plan_id: planIds.pro, period_months });
    expect(json.payment.amount).toBe(amount);
  });

  it("keeps its terms when the plan changes", async () => {
    const user = await makeUser();
    const { json } = await activate({ user_id: user.id, plan_id: planIds.pro });
    await db.subscriptionPlan.update({
      where: { id: planIds.pro },
      data: { price: 1, siteSlots: 1, name: "X" },
    });
    const { json: listResponse } = await call("GET", `/api/admin/subscriptions?user_id=${user.id}`, {
      token: adminToken,
    });
    await db.subscriptionPlan.update({
      where: { id: planIds.pro },
      data: { price: 9999, siteSlots: 5, name: "Pro" },
    });
    expect(listResponse.subscriptions).toEqual([json.subscription]);
  });

  it("saves the billing profile encrypted and copies it into the payment", async () => {
    const user = await makeUser();
    const bill_to = { kind: "company", title: "Kaya A.Ş.", tax_number: "0150015264", tax_office: "Beyoğlu" };
    const { json } = await activate({ user_id: user.id, plan_id: planIds.pro, bill_to });
    expect(json.invoice.missing).toEqual(["address", "district", "city"]);
    const userToken = await makeToken(user.id);
    await call("PUT", "/api/billing/profile", {
      token: userToken,
      body: { kind: "person", title: "Ece", tax_number: null },
    });
    const row = await db.payment.findFirstOrThrow({ where: { userId: user.id } });
    expect(Buffer.from(row.billToSealed).toString("latin1")).not.toContain("0150015264");
    expect(JSON.parse(unseal(row.billToSealed, "bill_to"))).toMatchObject(bill_to);
  });
});

describe("licences", () => {
  it("stay unchanged by default, for false and for an empty list", async () => {
    const user = await makeUser({ role: "reseller" });
    const licence = await makeLicence(user.id);
    for (const absorbableLicenses of [undefined, false, [], null, 0])
      await activate({ user_id: user.id, plan_id: planIds.pro, absorbableLicenses });
    expect((await db.siteLicence.findUniqueOrThrow({ where: { id: licence.id } })).status).toBe("pending");
  });

  it("are absorbed while slots last; the response lists those that do not fit", async () => {
    const user = await makeUser({ role: "reseller" });
    const suspendedSite = await makeSite(user.id, { isActive: false, suspendedReason: "licence_unpaid" });
    const [firstLicence, secondLicence] = [
      await makeLicence(user.id, { siteId: suspendedSite.id }),
      await makeLicence(user.id),
    ];
    await makeLicence(user.id, { status: "active" });
    const { json } = await activate({ user_id: user.id, plan_id: planIds.starter, absorbableLicenses: true });
    expect(json.absorbed).toMatchObject({
      licenses: [{ id: firstLicence.id, site_id: suspendedSite.id, status: "absorbed" }],
      sites: [{ id: suspendedSite.id, is_active: true }],
      not_fitting: [{ id: secondLicence.id, status: "pending" }],
    });
    expect(await db.site.findUniqueOrThrow({ where: { id: suspendedSite.id } })).toMatchObject({
      isActive: true,
      suspendedReason: null,
      subscriptionId: json.subscription.id,
    });
    expect(await db.siteLicence.findUniqueOrThrow({ where: { id: firstLicence.id } })).toMatchObject({
      status: "absorbed",
      closedReason: "absorbed",
      absorbedById: json.subscription.id,
    });
    expect(json.subscription.used_slots).toBe(1);
    await expectSlotCountsCorrect();
  });

  it("of a reseller for a customer's site: the customer's subscription can absorb them by ID", async () => {
    const reseller = await makeUser({ role: "reseller" });
    const customer = await makeUser({ resellerId: reseller.id });
    const licence = await makeLicence(reseller.id, { siteId: (await makeSite(customer.id)).id });
    const { json } = await activate({
      user_id: customer.id,
      plan_id: planIds.pro,
      absorbableLicenses: [licence.id],
    });
    expect(json.absorbed.licenses.map(({ id }: { id: number }) => id)).toEqual([licence.id]);
    const otherLicence = await makeLicence(reseller.id, { siteId: (await makeSite(customer.id)).id });
    const resellerActivation = await activate({
      user_id: reseller.id,
      plan_id: planIds.pro,
      absorbableLicenses: true,
    });
    expect(resellerActivation.json.absorbed.licenses, "a reseller's slots are for its own sites").toEqual([]);
    expect(await db.siteLicence.findUniqueOrThrow({ where: { id: otherLicence.id } })).toMatchObject({
      status: "pending",
    });
  });

  it("make the whole request fail if one is foreign or not pending", async () => {
    const user = await makeUser({ role: "reseller" });
    const ownLicence = await makeLicence(user.id);
    const foreignLicence = await makeLicence((await makeUser({ role: "reseller" })).id);
    const paidLicence = await makeLicence(user.id, { status: "active" });
    for (const invalidId of [foreignLicence.id, paidLicence.id, 2_147_483_647]) {
      const { status, json } = await activate({
        user_id: user.id,
        plan_id: planIds.pro,
        absorbableLicenses: [ownLicence.id, invalidId],
      });
      expect(status).toBe(422);
      expect(Object.keys(json.errors)).toEqual(["absorbableLicenses"]);
    }
    expect(await db.payment.count({ where: { userId: user.id } })).toBe(0);
  });
});

describe("renewal", () => {
  it("starts at the end of the old subscription and takes over its sites", async () => {
    const user = await makeUser();
    const oldSubscription = await makeSubscription(user.id, { days: 10 });
    const site = await makeSite(user.id, { subscriptionId: oldSubscription.id });
    const { json } = await activate({
      user_id: user.id,
      plan_id: planIds.pro,
      renews_subscription_id: oldSubscription.id,
    });
    expect(new Date(json.subscription.ends_at)).toEqual(addMonths(oldSubscription.endsAt, 12));
    expect(json.subscription).toMatchObject({ renews_subscription_id: oldSubscription.id, used_slots: 1 });
    expect(await db.subscription.findUniqueOrThrow({ where: { id: oldSubscription.id } })).toMatchObject({
      status: "cancelled",
      closedReason: "renewed",
      usedSlots: 0,
    });
    expect((await db.site.findUniqueOrThrow({ where: { id: site.id } })).subscriptionId).toBe(
      json.subscription.id,
    );
    const forecast = await call("GET", "/api/sites/billing-forecast", { token: await makeToken(user.id) });
    expect(forecast).toMatchObject({ json: { total_slots: 5, used_slots: 1 } });
    const repeatedResponse = await activate({
      user_id: user.id,
      plan_id: planIds.pro,
      renews_subscription_id: oldSubscription.id,
    });
    expect(repeatedResponse.status).toBe(422);
    expect(Object.keys(repeatedResponse.json.errors)).toEqual(["renews_subscription_id"]);
    await expectSlotCountsCorrect();
  });

  it("accepts a past-due subscription and suspends the newest sites if slots are missing", async () => {
    const user = await makeUser();
    const oldSubscription = await makeSubscription(user.id, { days: 10 });
    const endsAt = fromNow(-2 * DAY);
    await db.subscription.update({
      where: { id: oldSubscription.id },
      data: { status: "past_due", startsAt: fromNow(-40 * DAY), endsAt },
    });
    const [oldestSite, newestSite] = [
      await makeSite(user.id, { subscriptionId: oldSubscription.id }),
      await makeSite(user.id, { subscriptionId: oldSubscription.id }),
    ];
    const { json } = await activate({
      user_id: user.id,
      plan_id: planIds.starter,
      period_months: 1,
      renews_subscription_id: oldSubscription.id,
    });
    expect(new Date(json.subscription.ends_at)).toEqual(addMonths(endsAt, 1));
    expect(json.suspended_sites).toMatchObject([{ id: newestSite.id, is_active: false }]);
    expect((await db.site.findUniqueOrThrow({ where: { id: oldestSite.id } })).subscriptionId).toBe(
      json.subscription.id,
    );
    expect(await db.site.findUniqueOrThrow({ where: { id: newestSite.id } })).toMatchObject({
      isActive: false,
      suspendedReason: "subscription_ended",
      subscriptionId: null,
    });
    await expectSlotCountsCorrect();
  });

  it("rejects an expired subscription and one of another account", async () => {
    const user = await makeUser();
    const expiredSubscription = await makeSubscription(user.id);
    await db.subscription.update({ where: { id: expiredSubscription.id }, data: { status: "expired" } });
    const foreignSubscription = await makeSubscription((await makeUser()).id);
    for (const { id } of [expiredSubscription, foreignSubscription]) {
      const { status } = await activate({
        user_id: user.id,
        plan_id: planIds.pro,
        renews_subscription_id: id,
      });
      expect(status).toBe(422);
    }
  });
});

it("restores suspended sites of an ended subscription, oldest first, while slots last", async () => {
  const user = await makeUser();
  const suspendedFields = { isActive: false, suspendedReason: "subscription_ended" as const };
  const sites = [await makeSite(user.id, suspendedFields), await makeSite(user.id, suspendedFields)];
  const ownerSuspendedSite = await makeSite(user.id, { isActive: false });
  const { json } = await activate({ user_id: user.id, plan_id: planIds.starter });
  expect(json.restored_sites).toMatchObject([{ id: sites[0]!.id, is_active: true }]);
  const siteRows = await db.site.findMany({ where: { userId: user.id }, orderBy: { id: "asc" } });
  expect(siteRows.map(({ isActive, suspendedReason }) => [isActive, suspendedReason])).toEqual([
    [true, null],
    [false, "subscription_ended"],
    [false, "owner"],
  ]);
  expect(ownerSuspendedSite.isActive).toBe(false);
  await expectSlotCountsCorrect();
});

it("activates an order once, with the terms it was placed on", async () => {
  const user = await makeUser();
  const order = await makeSubscription(user.id);
  await db.subscription.update({ where: { id: order.id }, data: { status: "pending", priceMinor: 500_000 } });
  const body = { user_id: user.id, plan_id: planIds.pro, order_id: order.id };
  const wrongPlanResponse = await activate({ ...body, plan_id: planIds.starter });
  expect(wrongPlanResponse.status).toBe(422);
  expect(Object.keys(wrongPlanResponse.json.errors)).toEqual(["order_id"]);
  const { json } = await activate(body);
  expect({ id: json.subscription.id, status: json.subscription.status, amount: json.payment.amount }).toEqual(
    { id: order.id, status: "active", amount: 5000 },
  );
  expect((await activate(body)).status).toBe(422);
});

describe("validation", () => {
  it.each([
    ["amount", 0],
    ["amount", -1],
    ["amount", 0.001],
    ["amount", "1e3"],
    ["amount", "1.000"],
    ["amount", "$1,000.50"],
    ["amount", 99_999_999],
    ["amount", 0.1 + 0.2],
    ["period_months", 0],
    ["period_months", 61],
    ["period_months", 1.5],
    ["currency", "EUR"],
    ["paid_at", "2027-02-30"],
    ["paid_at", "20.11.2027"],
    ["paid_at", toTurkishDay(fromNow(DAY))],
    ["paid_at", toTurkishDay(fromNow(-367 * DAY))],
    ["plan_id", 2_147_483_647],
    ["user_id", 2_147_483_647],
    ["absorbableLicenses", "all"],
    ["absorbableLicenses", [0]],
  ])("rejects %s %s with a Turkish message and writes nothing", async (field, value) => {
    const user = await makeUser();
    const countsBefore = await countRows();
    for (const path of [PATH, `${PATH}/preview`]) {
      const { status, json } = await post(
        path,
        { user_id: user.id, plan_id: planIds.pro, [field]: value },
        { token: adminToken },
      );
      expect(status).toBe(422);
      expect(Object.keys(json.errors)[0]!.split(".")[0]).toEqual(field);
      expect(json.message).toMatch(/[çğıöşüÇĞİÖŞÜ]/);
    }
    expect(await countRows()).toEqual(countsBefore);
  });

  it("accepts the JSON number 1e3 and a day within the last year", async () => {
    const user = await makeUser();
    const { json } = await post(PATH, undefined, {
      token: adminToken,
      raw: `{"user_id":${user.id},"plan_id":${planIds.pro},"amount":1e3,"paid_at":"${toTurkishDay(fromNow(-360 * DAY))}"}`,
    });
    expect(json.payment.amount).toBe(1000);
  });

  it("rejects agents, administrators and closed accounts", async () => {
    const owner = await makeUser();
    const site = await makeSite(owner.id);
    const ineligibleUsers = [
      await makeUser({ isAgentOnly: true, parentUserId: owner.id, assignedSiteId: site.id }),
      admin,
      await makeUser({ anonymisedAt: new Date(), isActive: false }),
    ];
    for (const { id } of ineligibleUsers) {
      const { status, json } = await activate({ user_id: id, plan_id: planIds.pro });
      expect(status).toBe(422);
      expect(Object.keys(json.errors)).toEqual(["user_id"]);
    }
  });

  it("rejects a plan that is not eligible", async () => {
    const user = await makeUser();
    await changeUltimatePlan({ eligible: false });
    const { status, json } = await activate({ user_id: user.id, plan_id: planIds.ultimate });
    expect(status).toBe(422);
    expect(Object.keys(json.errors)).toEqual(["plan_id"]);
  });

  it("activates an order whose plan is no longer on offer", async () => {
    const user = await makeUser();
    const orderResponse = await post(
      "/api/billing/orders",
      { plan_id: planIds.ultimate },
      { token: await makeToken(user.id) },
    );
    const order_id = orderResponse.json.order.id;
    await changeUltimatePlan({ eligible: false, isActive: false });
    const { status } = await activate({ user_id: user.id, plan_id: planIds.ultimate, order_id });
    expect(status).toBe(201);
  });
});

/** Until the test ends, also if it fails. */
async function changeUltimatePlan(data: { eligible: boolean; isActive?: boolean }): Promise<void> {
  const where = { id: planIds.ultimate };
  onTestFinished(async () => {
    await db.subscriptionPlan.update({ where, data: { eligible: true, isActive: true } });
  });
  await db.subscriptionPlan.update({ where, data });
}

describe("preview", () => {
  it("returns what the activation then does, and writes nothing", async () => {
    const user = await makeUser({ role: "reseller" });
    await makeSite(user.id, { isActive: false, suspendedReason: "subscription_ended" });
    await makeLicence(user.id);
    const body = {
      user_id: user.id,
      plan_id: planIds.starter,
      absorbableLicenses: true,
      bank_reference: "T 7",
    };
    const countsBefore = await countRows();
    const { status, json } = await post(`${PATH}/preview`, body, { token: adminToken });
    expect(status).toBe(200);
    expect(await countRows()).toEqual(countsBefore);
    expect(json.mail.subject).toContain("Starter");
    expect(json.mail.html).toContain("<!doctype html>");
    expect({ recent: json.recent, same_transfer: json.same_transfer }).toEqual({
      recent: [],
      same_transfer: [],
    });
    const activation = (await activate(body)).json;
    for (const part of ["absorbed", "restored_sites", "suspended_sites", "invoice"])
      expect(json[part]).toEqual(activation[part]);
    expect(json.subscription.site_slots).toBe(activation.subscription.site_slots);
    const secondPreview = (
      await post(
        `${PATH}/preview`,
        { user_id: user.id, plan_id: planIds.starter, bank_reference: "t 7" },
        { token: adminToken },
      )
    ).json;
    expect(secondPreview.recent.map(({ id }: { id: number }) => id)).toEqual([activation.subscription.id]);
    expect(secondPreview.same_transfer.map(({ id }: { id: number }) => id)).toEqual([activation.payment.id]);
    const silentPreview = await post(
      `${PATH}/preview`,
      { ...body, absorbableLicenses: false, send_email: false },
      { token: adminToken },
    );
    expect(silentPreview.json.mail).toBeNull();
  });
});

describe("authorisation", () => {
  it("accepts an administrator's key with the ability admin:*", async () => {
    const user = await makeUser();
    const apiKey = await makeToken(admin.id, { abilities: ["admin:*"], provenAt: new Date() });
    expect((await post(PATH, { user_id: user.id, plan_id: planIds.pro }, { token: apiKey })).status).toBe(
      201,
    );
  });
});
