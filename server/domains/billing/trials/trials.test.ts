import { beforeEach, describe, expect, it } from "vitest";
import { DAY, fromNow } from "@/server/core/time";
import { prisma } from "@/server/infrastructure/database/client";
import { clearSettingsCache } from "@/server/infrastructure/settings";
import { countByStatus, runConcurrently } from "@/server/testing/burst";
import { makeProvenUser, makeSite, makeSubscription, makeToken, makeUser } from "@/server/testing/factories";
import { deliverAndReadMails } from "@/server/testing/mailbox";
import { resetRateLimits } from "@/server/testing/rate-limits";
import { startTestServer } from "@/server/testing/server";
import { advanceSubscriptionsJob, checkLedgerJob, remindBillingJob } from "../subscriptions/jobs";

const server = await startTestServer({ env: { DATABASE_TIMEOUT: "60" } });
const { call, get, post } = server;
beforeEach(() => resetRateLimits());

const startTrial = (token: string) => post("/api/billing/trial", {}, { token });
const readOffer = async (token: string) => (await get("/api/billing/trial", token)).json.trial;
const createSite = (token: string, domain: string) =>
  post("/api/sites", { name: "Kaya Kahve", domain }, { token });
const findSite = (id: number) => prisma().site.findUniqueOrThrow({ where: { id } });
const findTrial = (userId: number) =>
  prisma().subscription.findFirstOrThrow({ where: { userId, isTrial: true }, include: { notices: true } });

/** Moves the end of the trial; its start moves along. */
async function moveEnd(userId: number, endsAt: Date): Promise<void> {
  const { id, endsAt: oldEnd, startsAt } = await findTrial(userId);
  const shift = endsAt.getTime() - oldEnd.getTime();
  await prisma().subscription.update({
    where: { id },
    data: { endsAt, startsAt: new Date(startsAt.getTime() + shift) },
  });
}

async function changeSettings(body: object): Promise<void> {
  const { token } = await makeProvenUser({ role: "admin" });
  expect((await call("PUT", "/api/admin/settings", { token, body })).status).toBe(200);
  clearSettingsCache();
}

describe("a trial", () => {
  it("covers one site for 14 days without price and credits, and is mailed", async () => {
    const { id: userId, email, token } = await makeProvenUser({ locale: "en" });
    expect((await createSite(token, "before-trial.example.com")).json.requires_upgrade).toBe(true);
    expect(await readOffer(token)).toMatchObject({
      is_available: true,
      refusal: null,
      days: 14,
      site_slots: 1,
    });
    const { status, json } = await startTrial(token);
    expect(status).toBe(201);
    expect(json.subscription).toMatchObject({ plan: "Starter", site_slots: 1 });
    expect(await findTrial(userId)).toMatchObject({ status: "active", priceMinor: 0, monthlyCredits: 0 });
    expect((await createSite(token, "trial.example.com")).status).toBe(201);
    expect((await createSite(token, "trial-two.example.com")).status).toBe(403);
    const [mail] = await deliverAndReadMails(server, email, "trial_started");
    expect(mail!.text).toContain("covers 1 site");
  });

  it("starts once for 50 concurrent requests", async () => {
    const { id: userId, token } = await makeProvenUser();
    const responses = await runConcurrently(50, () => startTrial(token));
    expect(countByStatus(responses)).toEqual({ 201: 1, 422: 49 });
    expect(await prisma().subscription.count({ where: { userId } })).toBe(1);
  });

  it("warns, ends, suspends its site after a week, and deletes nothing", async () => {
    const { id: userId, email, token } = await makeProvenUser({ locale: "en" });
    await startTrial(token);
    const { id: siteId } = (await createSite(token, "life.example.com")).json.site;
    await remindBillingJob();
    expect((await findTrial(userId)).notices).toEqual([]);
    for (const days of [7, 3, 1]) {
      await moveEnd(userId, fromNow(days * DAY));
      await remindBillingJob();
      await remindBillingJob();
    }
    const kinds = (await findTrial(userId)).notices.map(({ kind }) => kind);
    expect(kinds.sort()).toEqual(["ends_1", "ends_3", "ends_7"]);
    const [reminder] = await deliverAndReadMails(server, email, "trial_ends");
    expect(reminder!.text).toContain("/billing/checkout?plan=");
    await moveEnd(userId, fromNow(-DAY));
    await advanceSubscriptionsJob();
    expect(await findTrial(userId)).toMatchObject({ status: "past_due" });
    expect((await findSite(siteId)).isActive).toBe(true);
    await moveEnd(userId, fromNow(-8 * DAY));
    await advanceSubscriptionsJob();
    expect(await findTrial(userId)).toMatchObject({ status: "expired" });
    expect(await findSite(siteId)).toMatchObject({
      isActive: false,
      suspendedReason: "subscription_ended",
    });
    expect((await get("/api/billing/due", token)).json.due[0]).toMatchObject({
      kind: "expired",
      is_trial: true,
      reference: null,
    });
    expect((await startTrial(token)).headers["x-error-code"]).toBe("trial_used");
    await checkLedgerJob();
  });

  it.each([
    { moment: "during the trial", end: 10, expectedStart: 10 },
    { moment: "in its last week", end: -3, expectedStart: 0 },
  ])("is replaced by a plan that is paid $moment", async ({ end, expectedStart }) => {
    const { id: userId, token } = await makeProvenUser();
    const { token: adminToken } = await makeProvenUser({ role: "admin" });
    await startTrial(token);
    const { id: siteId } = (await createSite(token, `paid${end}.example.com`)).json.site;
    await moveEnd(userId, fromNow(end * DAY));
    await advanceSubscriptionsJob();
    const { planId } = await findTrial(userId);
    const order = (await post("/api/billing/orders", { plan_id: planId }, { token })).json.order;
    const activation = { user_id: userId, plan_id: planId, order_id: order.id };
    const { json: preview } = await post("/api/admin/subscriptions/manual-activate/preview", activation, {
      token: adminToken,
    });
    expect(Date.parse(preview.trial_ends_at)).toBe((await findTrial(userId)).endsAt.getTime());
    // The trial is no payment that may have been recorded before.
    expect([preview.recent, preview.other_orders]).toEqual([[], []]);
    const { status, json } = await post("/api/admin/subscriptions/manual-activate", activation, {
      token: adminToken,
    });
    expect(status).toBe(201);
    const daysUntilEnd = Math.round((Date.parse(json.subscription.ends_at) - Date.now()) / DAY);
    expect(daysUntilEnd - expectedStart).toBeGreaterThanOrEqual(365);
    expect(daysUntilEnd - expectedStart).toBeLessThanOrEqual(366);
    expect(await findTrial(userId)).toMatchObject({
      status: "cancelled",
      closedReason: "renewed",
      usedSlots: 0,
    });
    expect(await findSite(siteId)).toMatchObject({
      isActive: true,
      subscriptionId: json.subscription.id,
    });
    expect((await startTrial(token)).headers["x-error-code"]).toBe("trial_used");
  });
});

it("a trial of two sites is taken over by a plan for one as its preview said, and comes back with a reversal", async () => {
  const { id: userId, token } = await makeProvenUser();
  const { token: adminToken } = await makeProvenUser({ role: "admin" });
  await changeSettings({ trial_slots: 2 });
  await startTrial(token);
  await changeSettings({ trial_slots: 1 });
  for (const name of ["first", "second"]) await createSite(token, `${name}-of-two.example.com`);
  const { planId } = await findTrial(userId);
  const { checkout } = (await get(`/api/billing/checkout?plan_id=${planId}`, token)).json;
  expect(checkout.current).toMatchObject([{ is_trial: true, moved_count: 1, suspended_count: 1 }]);
  const { json } = await post(
    "/api/admin/subscriptions/manual-activate",
    { user_id: userId, plan_id: planId },
    { token: adminToken },
  );
  expect(json.suspended_sites).toHaveLength(1);
  const countActive = () => prisma().site.count({ where: { userId, isActive: true } });
  expect(await countActive()).toBe(1);
  const reversal = { reason: "The bank took the transfer back", confirmation: "REVERSE" };
  const { status } = await post(`/api/admin/payments/${json.payment.id}/reverse`, reversal, {
    token: adminToken,
  });
  expect(status).toBe(200);
  expect(await findTrial(userId)).toMatchObject({ status: "active", closedReason: null });
  expect(await countActive()).toBeGreaterThanOrEqual(1);
});

it("a trial and a plan that is activated at the same moment leave one running subscription", async () => {
  const { token: adminToken } = await makeProvenUser({ role: "admin" });
  const { planId } = await findAnyPlan();
  for (let round = 0; round < 5; round++) {
    const { id: userId, token } = await makeProvenUser();
    const [trial, activation] = await Promise.all([
      startTrial(token),
      post(
        "/api/admin/subscriptions/manual-activate",
        { user_id: userId, plan_id: planId },
        { token: adminToken },
      ),
    ]);
    expect(activation.status).toBe(201);
    expect(trial.status === 201 || trial.headers["x-error-code"] === "trial_had_plan").toBe(true);
    const running = await prisma().subscription.findMany({ where: { userId, status: "active" } });
    expect(running).toMatchObject([{ isTrial: false, planId }]);
  }
});

it("a trial can be started by a reseller, but not with a key that lacks the ability", async () => {
  const { id: userId, token } = await makeProvenUser({ role: "reseller" });
  expect((await startTrial(await makeToken(userId, { abilities: ["sites:write"] }))).status).toBe(403);
  expect((await startTrial(token)).status).toBe(201);
});

describe("a trial is refused", () => {
  const readRefusal = async (token: string) => {
    const { status, headers } = await startTrial(token);
    return [status, headers["x-error-code"], (await readOffer(token))?.refusal];
  };

  it("for an account whose address is not verified", async () => {
    const { token } = await makeProvenUser({ emailVerifiedAt: null });
    expect(await readRefusal(token)).toEqual([422, "email_needs_verification", "unverified"]);
  });

  it("for an account that had a plan", async () => {
    const { id: userId, token } = await makeProvenUser();
    await makeSubscription(userId, { slots: 1, status: "expired" });
    expect(await readRefusal(token)).toEqual([422, "trial_had_plan", "had_plan"]);
  });

  it("for an address of a disposable domain", async () => {
    const { token } = await makeProvenUser({ email: `someone-${Date.now()}@mailinator.com` });
    const { status, headers } = await startTrial(token);
    expect([status, headers["x-error-code"]]).toEqual([422, "trial_refused"]);
  });

  it("for an agent, who learns the owner, and for an administrator", async () => {
    const owner = await makeUser();
    const site = await makeSite(owner.id);
    const agent = await makeUser({ isAgentOnly: true, parentUserId: owner.id, assignedSiteId: site.id });
    const { status, json } = await startTrial(await makeToken(agent.id));
    expect([status, json.contact.email]).toEqual([403, owner.email]);
    expect((await startTrial((await makeProvenUser({ role: "admin" })).token)).status).toBe(403);
  });

  it("while administrators offer none, but an open order does not count as a plan", async () => {
    const { token } = await makeProvenUser();
    const { planId } = await findAnyPlan();
    await post("/api/billing/orders", { plan_id: planId }, { token });
    await changeSettings({ trial_days: 0 });
    expect(await readRefusal(token)).toEqual([422, "trial_not_offered", "not_offered"]);
    await changeSettings({ trial_days: 30, trial_slots: 2 });
    expect((await startTrial(token)).json.subscription.site_slots).toBe(2);
    await changeSettings({ trial_days: 14, trial_slots: 1 });
  });
});

async function findAnyPlan(): Promise<{ planId: number }> {
  const { id: planId } = await prisma().subscriptionPlan.findUniqueOrThrow({ where: { slug: "pro" } });
  return { planId };
}
