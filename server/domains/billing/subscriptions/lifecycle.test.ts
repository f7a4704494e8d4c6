import { beforeEach, describe, expect, it, vi } from "vitest";
import { getEndOfDay, toTurkishDay } from "@/server/core/calendar";
import { DAY, fromNow, HOUR, MINUTE } from "@/server/core/time";
import { listSlotSubscriptions, lockSlots } from "@/server/domains/sites/slots/service";
import { pool, prisma } from "@/server/infrastructure/database/client";
import { inTransaction } from "@/server/infrastructure/database/transaction";
import { BURST_ROUNDS, countByStatus, runConcurrently } from "@/server/testing/burst";
import {
  makeLicence,
  makeSignedInUser,
  makeSite,
  makeSubscription,
  makeUser,
} from "@/server/testing/factories";
import { deliverAndReadMails } from "@/server/testing/mailbox";
import { resetRateLimits } from "@/server/testing/rate-limits";
import { startTestServer } from "@/server/testing/server";
import { advanceSubscriptionsJob, checkLedgerJob, remindBillingJob } from "./jobs";

const server = await startTestServer();
const { get, post } = server;

const IBAN = "TR330006100519786457841326";
await prisma().setting.create({
  data: { key: "bank", value: { holder: "Tellal A.Ş.", iban: IBAN, bank: "Örnek Bankası" } },
});
beforeEach(() => resetRateLimits());

const toEndOfDay = (days: number) => getEndOfDay(toTurkishDay(new Date()), { plusDays: days });
const setEndInDays = (id: number, days: number) =>
  prisma().subscription.update({
    where: { id },
    data: { startsAt: fromNow(-400 * DAY), endsAt: toEndOfDay(days) },
  });

async function makeOverdueSubscription(userId: number, siteCount: number) {
  const { id } = await makeSubscription(userId, { slots: siteCount });
  const createdSites = [];
  for (let index = 0; index < siteCount; index++)
    createdSites.push(await makeSite(userId, { subscriptionId: id }));
  await setEndInDays(id, -9);
  return { id, siteIds: createdSites.map((site) => site.id) };
}

async function expectSlotCountsCorrect(): Promise<void> {
  const { rows } = await pool().query(
    `select id, used_slots, site_slots from subscriptions s
      where used_slots <> (select count(*) from sites where subscription_id = s.id) or used_slots > site_slots`,
  );
  expect(rows).toEqual([]);
}

const countAuditEvents = (action: string) => prisma().auditEvent.count({ where: { action } });

describe("subscription lifecycle", () => {
  it("sends each notice once and in order while two schedulers run", async () => {
    const { id: userId, email } = await makeUser({ locale: "en" });
    const { id, reference } = await makeSubscription(userId, { slots: 3 });
    const sites = [];
    for (let index = 0; index < 3; index++) sites.push(await makeSite(userId, { subscriptionId: id }));
    const otherSubscription = await makeSubscription(userId, { plan: "starter", slots: 1, days: 400 });
    const notices: unknown[] = [];
    let mailCount = 0;
    for (let days = 31; days >= -10; days--) {
      await setEndInDays(id, days);
      await Promise.all([remindBillingJob(), remindBillingJob()]);
      await Promise.all([advanceSubscriptionsJob(), advanceSubscriptionsJob()]);
      const mails = await prisma().mailMessage.findMany({ where: { userId }, orderBy: { id: "asc" } });
      const { status } = await prisma().subscription.findUniqueOrThrow({ where: { id } });
      for (const { template } of mails.slice(mailCount)) notices.push([days, template, status]);
      mailCount = mails.length;
    }
    // RENEWAL_NOTICE_DAYS; then the grace period of seven days.
    expect(notices).toEqual([
      [30, "subscription_ends", "active"],
      [14, "subscription_ends", "active"],
      [7, "subscription_ends", "active"],
      [3, "subscription_ends", "active"],
      [1, "subscription_ends", "active"],
      [-1, "subscription_past_due", "past_due"],
      [-8, "subscription_expired", "expired"],
    ]);
    const sitesAfter = await prisma().site.findMany({ where: { userId }, orderBy: { id: "asc" } });
    expect(
      sitesAfter.map((site) => [site.id, site.subscriptionId, site.isActive, site.suspendedReason]),
    ).toEqual([
      [sites[0]!.id, otherSubscription.id, true, null],
      [sites[1]!.id, null, false, "subscription_ended"],
      [sites[2]!.id, null, false, "subscription_ended"],
    ]);
    await expectSlotCountsCorrect();
    const mails = await deliverAndReadMails(server, email);
    for (const { text } of mails) {
      expect(text).toContain(reference);
      expect(text).toContain(IBAN);
      expect(text).toMatch(/TRY\s9,999\.00/);
      expect(text).toMatch(/Your \S+ plan end(s|ed) on \d{1,2} [A-Z][a-z]+ \d{4}(,| and)/);
      // The last mail comes after the end: the plan is ordered again.
      expect(text).toMatch(/http:\/\/panel\.test\/billing\/(pay\/T\d{8}|checkout\?plan=\d+)\s/);
    }
    expect(mails[0]!.text).toContain("moved to your other plans: 1. Sites suspended: 2.");
  });

  it("sends only the latest reminder when earlier ones were missed", async () => {
    const { id: userId } = await makeUser();
    const { id } = await makeSubscription(userId);
    await setEndInDays(id, 5);
    await remindBillingJob();
    expect(await prisma().subscriptionNotice.findMany({ where: { subscriptionId: id } })).toMatchObject([
      { kind: "ends_7" },
    ]);
  });

  it("expires a subscription after an outage of nine days, and sends only the last mail", async () => {
    const { id: userId } = await makeUser();
    const { id } = await makeOverdueSubscription(userId, 1);
    await advanceSubscriptionsJob();
    const templates = await prisma().mailMessage.findMany({ where: { userId }, select: { template: true } });
    expect(templates).toEqual([{ template: "subscription_expired" }]);
    expect(await prisma().subscription.findUnique({ where: { id } })).toMatchObject({ status: "expired" });
  });

  it("keeps suspensions by an owner or an administrator", async () => {
    const { id: userId } = await makeUser();
    const { siteIds } = await makeOverdueSubscription(userId, 2);
    for (const [index, suspendedReason] of (["administrator", "owner"] as const).entries())
      await prisma().site.update({
        where: { id: siteIds[index]! },
        data: { isActive: false, suspendedReason },
      });
    await advanceSubscriptionsJob();
    const sitesAfter = await prisma().site.findMany({ where: { userId }, orderBy: { id: "asc" } });
    expect(sitesAfter.map((site) => [site.subscriptionId, site.suspendedReason])).toEqual([
      [null, "administrator"],
      [null, "owner"],
    ]);
  });

  it("keeps sites active that a licence pays for", async () => {
    const { id: userId } = await makeUser({ role: "reseller" });
    const { siteIds } = await makeOverdueSubscription(userId, 2);
    await makeLicence(userId, { siteId: siteIds[1]!, status: "active", paidAt: new Date() });
    await advanceSubscriptionsJob();
    const sitesAfter = await prisma().site.findMany({ where: { userId }, orderBy: { id: "asc" } });
    expect(sitesAfter.map((site) => [site.subscriptionId, site.isActive])).toEqual([
      [null, false],
      [null, true],
    ]);
    await expectSlotCountsCorrect();
  });

  it("does not move sites to a subscription that ends in the same run", async () => {
    const { id: userId } = await makeUser();
    const [expiringSubscription, laterSubscription] = [
      await makeOverdueSubscription(userId, 1),
      await makeSubscription(userId, { slots: 9 }),
    ];
    await setEndInDays(laterSubscription.id, -9);
    await advanceSubscriptionsJob();
    expect(await prisma().site.findUnique({ where: { id: expiringSubscription.siteIds[0]! } })).toMatchObject(
      {
        subscriptionId: null,
        suspendedReason: "subscription_ended",
      },
    );
  });
});

it.each([-1, 1])("expires on time when the server's clock is off by %i hour", async (clockOffsetHours) => {
  const { id: userId } = await makeUser();
  const [endedSubscription, runningSubscription] = [
    await makeSubscription(userId),
    await makeSubscription(userId),
  ];
  const setEndInMinutes = (id: number, minutes: number) =>
    prisma().subscription.update({
      where: { id },
      data: { startsAt: fromNow(-400 * DAY), endsAt: fromNow(minutes * MINUTE) },
    });
  await setEndInMinutes(endedSubscription.id, -30);
  await setEndInMinutes(runningSubscription.id, 30);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + clockOffsetHours * HOUR });
  try {
    await advanceSubscriptionsJob();
  } finally {
    vi.useRealTimers();
  }
  const rows = await prisma().subscription.findMany({ where: { userId }, orderBy: { id: "asc" } });
  expect(rows.map(({ status }) => status)).toEqual(["past_due", "active"]);
});

describe("concurrent runs", () => {
  it("end the subscriptions of fifty accounts once each", async () => {
    const userIds = [];
    for (let index = 0; index < 50; index++) {
      const { id: userId } = await makeUser();
      const { id } = await makeSubscription(userId);
      await setEndInDays(id, -1);
      userIds.push(userId);
    }
    const countBefore = await countAuditEvents("subscription.past_due");
    await Promise.all([advanceSubscriptionsJob(), advanceSubscriptionsJob()]);
    await advanceSubscriptionsJob();
    const where = { userId: { in: userIds }, template: "subscription_past_due" };
    expect(await prisma().mailMessage.count({ where })).toBe(50);
    expect((await countAuditEvents("subscription.past_due")) - countBefore).toBe(50);
  });

  it.each(BURST_ROUNDS)("of site creations and an expiry never use a slot twice, round %i", async (round) => {
    const { id: userId, token } = await makeSignedInUser();
    const { siteIds } = await makeOverdueSubscription(userId, 10);
    const { id: otherSubscriptionId } = await makeSubscription(userId, { slots: 12 });
    const createSite = (index: number) =>
      post("/api/sites", { name: "Yeni", domain: `at-once-${round}-${index}.example.com` }, { token });
    const [responses] = await Promise.all([
      runConcurrently(25, createSite),
      runConcurrently(2, advanceSubscriptionsJob),
    ]);
    await advanceSubscriptionsJob();
    const counts = countByStatus(responses);
    const movedCount = await prisma().site.count({
      where: { id: { in: siteIds }, subscriptionId: otherSubscriptionId },
    });
    const suspendedFilter = {
      id: { in: siteIds },
      subscriptionId: null,
      suspendedReason: "subscription_ended",
    } as const;
    expect(counts[201]! + (counts[403] ?? 0)).toBe(25);
    expect(counts[201]! + movedCount).toBe(12);
    expect(await prisma().site.count({ where: suspendedFilter })).toBe(10 - movedCount);
    await expectSlotCountsCorrect();
  });

  it.each(BURST_ROUNDS)(
    "of activations and an expiry leave only sites in a slot active, round %i",
    async () => {
      const { id: userId } = await makeUser();
      const { siteIds } = await makeOverdueSubscription(userId, 50);
      const { id: otherSubscriptionId } = await makeSubscription(userId, { slots: 20 });
      await prisma().site.updateMany({
        where: { id: { in: siteIds } },
        data: { isActive: false, suspendedReason: "owner" },
      });
      const activate = (index: number) =>
        inTransaction(async (tx) => {
          await lockSlots(tx, userId);
          const slotSubscriptionIds = (await listSlotSubscriptions(tx, userId)).map(({ id }) => id);
          return tx.db.site.updateMany({
            where: { id: siteIds[index]!, subscriptionId: { in: slotSubscriptionIds } },
            data: { isActive: true, suspendedReason: null },
          });
        });
      await Promise.all([runConcurrently(50, activate), runConcurrently(2, advanceSubscriptionsJob)]);
      await advanceSubscriptionsJob();
      const countSites = (where: object) => prisma().site.count({ where: { id: { in: siteIds }, ...where } });
      expect(await countSites({ subscriptionId: otherSubscriptionId })).toBe(20);
      expect(await countSites({ subscriptionId: null, isActive: false })).toBe(30);
      await expectSlotCountsCorrect();
    },
  );

  it("activate or close an order, never both", async () => {
    const orderIds: number[] = [];
    for (let index = 0; index < 50; index++) {
      const { id: userId } = await makeUser();
      const { id } = await makeSubscription(userId);
      await prisma().subscription.update({
        where: { id },
        data: { status: "pending", startsAt: fromNow(-31 * DAY), endsAt: fromNow(-DAY) },
      });
      orderIds.push(id);
    }
    const countBefore = await countAuditEvents("order.lapsed");
    const activate = (index: number) =>
      prisma().subscription.updateMany({
        where: { id: orderIds[index]!, status: "pending" },
        data: { status: "active", endsAt: fromNow(365 * DAY) },
      });
    const [, activationResults] = await Promise.all([
      runConcurrently(2, advanceSubscriptionsJob),
      runConcurrently(50, activate),
    ]);
    await advanceSubscriptionsJob();
    const activatedCount = activationResults.filter(({ count }) => count === 1).length;
    const orderFilter = { id: { in: orderIds } };
    expect(await prisma().subscription.count({ where: { ...orderFilter, status: "active" } })).toBe(
      activatedCount,
    );
    const lapsedFilter = { ...orderFilter, status: "cancelled", closedReason: "lapsed" } as const;
    expect(await prisma().subscription.count({ where: lapsedFilter })).toBe(50 - activatedCount);
    expect((await countAuditEvents("order.lapsed")) - countBefore).toBe(50 - activatedCount);
  });

  it("skip a locked account until the next run", async () => {
    const [lockedUser, otherUser] = [await makeUser(), await makeUser()];
    const subscriptions = [
      await makeOverdueSubscription(lockedUser.id, 0),
      await makeOverdueSubscription(otherUser.id, 0),
    ];
    const readStatus = async (index: number) =>
      (await prisma().subscription.findUniqueOrThrow({ where: { id: subscriptions[index]!.id } })).status;
    await inTransaction(async ({ sql }) => {
      await sql`select id from users where id = ${lockedUser.id} for update`;
      await advanceSubscriptionsJob();
      expect([await readStatus(0), await readStatus(1)]).toEqual(["active", "expired"]);
    });
    await advanceSubscriptionsJob();
    expect(await readStatus(0)).toBe("expired");
  });
});

describe("check_ledger", () => {
  it("reports a difference in the health check and repairs nothing", async () => {
    const readLedgerCheck = async () => (await get("/api/health")).json.checks.ledger;
    await checkLedgerJob();
    expect(await readLedgerCheck()).toEqual({ ok: true, detail: "agrees" });
    const { id } = await makeUser();
    await pool().query("update users set credits = credits + 1 where id = $1", [id]);
    await checkLedgerJob();
    expect(await readLedgerCheck()).toEqual({ ok: false, detail: "differs" });
    expect(await prisma().user.findUnique({ where: { id } })).toMatchObject({ credits: 1001 });
    await pool().query("update users set credits = credits - 1 where id = $1", [id]);
    await checkLedgerJob();
    expect((await readLedgerCheck()).ok).toBe(true);
  });
});
