import { beforeEach, describe, expect, it, vi } from "vitest";
import { DAY, fromNow } from "@/server/core/time";
import { advanceSubscriptionsJob } from "@/server/domains/billing/subscriptions/jobs";
import { pool, prisma } from "@/server/infrastructure/database/client";
import { BURST_ROUNDS, countByStatus, runConcurrently } from "@/server/testing/burst";
import {
  makeLicence,
  makeProvenUser,
  makeSignedInUser,
  makeSite,
  makeSubscription,
  makeUser,
} from "@/server/testing/factories";
import { resetRateLimits } from "@/server/testing/rate-limits";
import { startTestServer } from "@/server/testing/server";
import * as recordPaymentService from "./service/record-payment";

const { post, call } = await startTestServer();
const db = prisma();
const { token: adminToken } = await makeProvenUser({ role: "admin" });
const planIds = Object.fromEntries(
  (await db.subscriptionPlan.findMany()).map((plan) => [plan.slug, plan.id]),
);
beforeEach(resetRateLimits);

const PATH = "/api/admin/subscriptions/manual-activate";
const activate = (body: object, key?: string) =>
  post(
    PATH,
    { send_email: false, ...body },
    { token: adminToken, headers: key ? { "idempotency-key": key } : {} },
  );

async function expectSlotCountsCorrect() {
  const { rows } = await pool().query(
    `select id from subscriptions u
      where used_slots <> (select count(*) from sites where subscription_id = u.id) or used_slots > site_slots`,
  );
  expect(rows).toEqual([]);
}

/** 503 is allowed: other calls may hold the row locks longer than the lock timeout. */
const countLockTimeouts = (counts: Record<number, number>) => counts[503] ?? 0;

describe("50 concurrent calls", () => {
  it.each(BURST_ROUNDS)("with one idempotency key activate once, round %i", async (round) => {
    const user = await makeUser();
    const responses = await runConcurrently(50, () =>
      activate({ user_id: user.id, plan_id: planIds.pro, send_email: true }, `round-${round}`),
    );
    const counts = countByStatus(responses);
    expect(counts[201]! + (counts[409] ?? 0) + countLockTimeouts(counts)).toBe(50);
    const createdResponses = responses.filter(({ status }) => status === 201);
    expect(createdResponses.filter(({ headers }) => !headers["idempotent-replay"])).toHaveLength(1);
    expect(new Set(createdResponses.map(({ text }) => text)).size).toBe(1);
    const where = { userId: user.id };
    expect(await db.subscription.count({ where })).toBe(1);
    expect(await db.payment.count({ where })).toBe(1);
    expect(await db.accountingDocument.count({ where: { payment: where } })).toBe(1);
    expect(await db.mailMessage.count({ where })).toBe(1);
    // A call that got 409 or 503 gets the same response on retry.
    const lateResponse = await activate(
      { user_id: user.id, plan_id: planIds.pro, send_email: true },
      `round-${round}`,
    );
    expect(lateResponse.text).toEqual(createdResponses[0]!.text);
    expect(lateResponse.headers["idempotent-replay"]).toBe("true");
  });

  it.each(BURST_ROUNDS)("that absorb or pay for a licence close it once, round %i", async () => {
    const user = await makeUser({ role: "reseller" });
    const licence = await makeLicence(user.id);
    const responses = await runConcurrently(50, (index) =>
      index % 2
        ? activate({ user_id: user.id, plan_id: planIds.pro, absorbableLicenses: [licence.id] })
        : post(`/api/admin/licences/${licence.id}/payment`, { send_email: false }, { token: adminToken }),
    );
    const counts = countByStatus(responses);
    expect(counts[201]).toBe(1);
    expect(counts[422]! + countLockTimeouts(counts)).toBe(49);
    const licenceAfter = await db.siteLicence.findUniqueOrThrow({
      where: { id: licence.id },
      include: { site: true },
    });
    const isAbsorbed = licenceAfter.status === "absorbed";
    expect([licenceAfter.absorbedById !== null, licenceAfter.site.subscriptionId !== null]).toEqual([
      isAbsorbed,
      isAbsorbed,
    ]);
    expect(await db.payment.count({ where: { userId: user.id } })).toBe(1);
    await expectSlotCountsCorrect();
  });

  it.each(BURST_ROUNDS)("that renew a subscription create one renewal, round %i", async () => {
    const user = await makeUser();
    const oldSubscription = await makeSubscription(user.id);
    await makeSite(user.id, { subscriptionId: oldSubscription.id });
    const responses = await runConcurrently(50, () =>
      activate({ user_id: user.id, plan_id: planIds.pro, renews_subscription_id: oldSubscription.id }),
    );
    const counts = countByStatus(responses);
    expect(counts[201]).toBe(1);
    expect(counts[422]! + countLockTimeouts(counts)).toBe(49);
    expect(await db.subscription.count({ where: { userId: user.id, status: "active" } })).toBe(1);
    await expectSlotCountsCorrect();
  });

  it.each(BURST_ROUNDS)(
    "that renew an expiring subscription move its sites once or suspend them, round %i",
    async () => {
      const user = await makeUser();
      const oldSubscription = await makeSubscription(user.id, { slots: 3 });
      for (let number = 0; number < 3; number++)
        await makeSite(user.id, { subscriptionId: oldSubscription.id });
      await db.subscription.update({
        where: { id: oldSubscription.id },
        data: { status: "past_due", startsAt: fromNow(-400 * DAY), endsAt: fromNow(-8 * DAY) },
      });
      const responses = await runConcurrently(50, (index) =>
        index % 10 === 5
          ? advanceSubscriptionsJob().then(() => ({ status: 0 }))
          : activate({ user_id: user.id, plan_id: planIds.pro, renews_subscription_id: oldSubscription.id }),
      );
      await advanceSubscriptionsJob();
      const counts = countByStatus(responses);
      const activationCount = counts[201] ?? 0;
      expect([
        activationCount + (counts[422] ?? 0) + countLockTimeouts(counts),
        activationCount <= 1,
      ]).toEqual([45, true]);
      const { status } = await db.subscription.findUniqueOrThrow({ where: { id: oldSubscription.id } });
      expect(status).toBe(activationCount ? "cancelled" : "expired");
      const where = { userId: user.id };
      expect([
        await db.payment.count({ where }),
        await db.site.count({ where: { ...where, isActive: true } }),
        await db.site.count({ where: { ...where, suspendedReason: "subscription_ended" } }),
      ]).toEqual(activationCount ? [1, 3, 0] : [0, 0, 3]);
      await expectSlotCountsCorrect();
    },
  );

  it.each(BURST_ROUNDS)("that activate an order record one payment, round %i", async () => {
    const user = await makeUser();
    const order = await makeSubscription(user.id);
    await db.subscription.update({ where: { id: order.id }, data: { status: "pending" } });
    const responses = await runConcurrently(50, (index) =>
      index % 10 === 0
        ? // Same update as the job that closes lapsed orders.
          db.subscription
            .updateMany({
              where: { id: order.id, status: "pending" },
              data: { status: "cancelled", closedReason: "lapsed" },
            })
            .then(({ count }) => ({ status: count }))
        : activate({ user_id: user.id, plan_id: planIds.pro, order_id: order.id }),
    );
    const counts = countByStatus(responses);
    expect((counts[201] ?? 0) + (counts[1] ?? 0)).toBe(1);
    expect(await db.payment.count({ where: { userId: user.id } })).toBe(counts[201] ?? 0);
  });

  it.each(BURST_ROUNDS)("that reverse a payment reverse it once, round %i", async () => {
    const user = await makeUser();
    const { json } = await activate({ user_id: user.id, plan_id: planIds.pro });
    await makeSite(user.id, { subscriptionId: json.subscription.id });
    const responses = await runConcurrently(50, () =>
      post(
        `/api/admin/payments/${json.payment.id}/reverse`,
        { reason: "Bounced", confirmation: "REVERSE" },
        { token: adminToken },
      ),
    );
    const counts = countByStatus(responses);
    expect(counts[200]).toBe(1);
    expect(counts[422]! + countLockTimeouts(counts)).toBe(49);
    expect(await db.mailMessage.count({ where: { userId: user.id } })).toBe(1);
    expect(
      await db.auditEvent.count({ where: { action: "payment.reversed", objectId: String(json.payment.id) } }),
    ).toBe(1);
    await expectSlotCountsCorrect();
  });

  it.each(BURST_ROUNDS)(
    "that take the last slot while sites are restored never exceed the slots, round %i",
    async () => {
      const { token: ownerToken, ...user } = await makeSignedInUser();
      const oldSubscription = await makeSubscription(user.id, { slots: 1 });
      for (let number = 0; number < 3; number++)
        await makeSite(user.id, { isActive: false, suspendedReason: "subscription_ended" });
      const responses = await runConcurrently(50, (index) =>
        index % 5
          ? call("POST", "/api/sites", {
              token: ownerToken,
              body: { name: "Kaya", domain: `last-${user.id}-${index}.example.com` },
            })
          : activate({
              user_id: user.id,
              plan_id: planIds.starter,
              renews_subscription_id: index === 0 ? oldSubscription.id : undefined,
            }),
      );
      const {
        201: createdCount = 0,
        403: rejectedCount = 0,
        429: limitedCount = 0,
      } = countByStatus(responses);
      expect(createdCount + rejectedCount + limitedCount + countLockTimeouts(countByStatus(responses))).toBe(
        50,
      );
      await expectSlotCountsCorrect();
      const unpaidCount = await db.site.count({
        where: { userId: user.id, isActive: true, subscriptionId: null },
      });
      expect(unpaidCount).toBe(0);
    },
  );
});

describe("an interrupted activation", () => {
  it("leaves nothing behind, and a retry with the same key succeeds once", async () => {
    const user = await makeUser({ role: "reseller" });
    const licence = await makeLicence(user.id);
    const body = { user_id: user.id, plan_id: planIds.pro, absorbableLicenses: true, send_email: true };
    const failingMail = vi
      .spyOn(recordPaymentService, "mailCustomer")
      .mockRejectedValueOnce(new Error("killed"));
    const failedResponse = await activate(body, "broken");
    expect({ status: failedResponse.status, length: failingMail.mock.calls.length }).toEqual({
      status: 500,
      length: 1,
    });
    const where = { userId: user.id };
    expect(await db.subscription.count({ where })).toBe(0);
    expect(await db.payment.count({ where })).toBe(0);
    expect(await db.idempotencyKey.count({ where: { key: "broken" } })).toBe(0);
    expect((await db.siteLicence.findUniqueOrThrow({ where: { id: licence.id } })).status).toBe("pending");
    const retryResponse = await activate(body, "broken");
    expect(retryResponse.status).toBe(201);
    expect(retryResponse.headers["idempotent-replay"]).toBe(undefined);
    expect((await activate(body, "broken")).text).toBe(retryResponse.text);
    expect(await db.subscription.count({ where })).toBe(1);
  });

  it("with its connection cut at any statement leaves all or nothing", async () => {
    for (let cut = 1; cut <= 12; cut++) {
      const user = await makeUser();
      const body = { user_id: user.id, plan_id: planIds.pro, send_email: true };
      let termination: Promise<unknown> | undefined;
      const timer = setTimeout(() => {
        // Terminates every open transaction, as if the process were killed.
        const terminateSql =
          "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database() and xact_start is not null";
        termination = pool()
          .query(terminateSql)
          .catch(() => {});
      }, cut * 3);
      await activate(body, `cut-${cut}`).catch(() => undefined);
      clearTimeout(timer);
      await termination;
      const where = { userId: user.id };
      const readCounts = async () => [
        await db.subscription.count({ where }),
        await db.payment.count({ where }),
        await db.accountingDocument.count({ where: { payment: where } }),
        await db.mailMessage.count({ where }),
        await db.idempotencyKey.count({ where: { key: `cut-${cut}` } }),
      ];
      // A count may run on a connection that was just terminated.
      const waitForCounts = () => vi.waitFor(readCounts, { timeout: 30_000 });
      expect([0, 5]).toContain((await waitForCounts()).reduce((sum, each) => sum + each));
      await resetRateLimits();
      await expect.poll(async () => (await activate(body, `cut-${cut}`)).status).toBe(201);
      expect(await waitForCounts()).toEqual([1, 1, 1, 1, 1]);
    }
  });
});

it("refuses a replay when the caller is no longer an administrator", async () => {
  const { token: otherAdminToken, ...otherAdmin } = await makeProvenUser({ role: "admin" });
  const user = await makeUser();
  const body = { user_id: user.id, plan_id: planIds.pro };
  const activateWithKey = () =>
    post(PATH, body, { token: otherAdminToken, headers: { "idempotency-key": "k" } });
  expect((await activateWithKey()).status).toBe(201);
  await db.user.update({ where: { id: otherAdmin.id }, data: { role: "user" } });
  expect((await activateWithKey()).status).toBe(403);
  await db.accessToken.deleteMany({ where: { userId: otherAdmin.id } });
  expect((await activateWithKey()).status).toBe(401);
});
