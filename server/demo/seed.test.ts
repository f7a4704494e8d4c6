import { beforeAll, expect, it } from "vitest";
import { getEndOfDay, toTurkishDay } from "@/server/core/calendar";
import { verifyAudit } from "@/server/domains/accounts/audit/service/check";
import { sealEntries } from "@/server/domains/accounts/audit/service/seal";
import { verifyConsentLedger } from "@/server/domains/accounts/consents/service/ledger";
import { checkLedgerJob } from "@/server/domains/billing/subscriptions/jobs";
import { prisma } from "@/server/infrastructure/database/client";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { makeToken } from "@/server/testing/factories";
import { buildSamplePath } from "@/server/testing/requests";
import { startTestServer } from "@/server/testing/server";
import { getHandlers } from "@/server/transports/rest/operations";
import { seedDemo } from "./seed";

const { get } = await startTestServer({ env: { APP_MODE: "demo" } });
const findAccount = (email: string) => prisma().user.findUniqueOrThrow({ where: { emailKey: email } });

beforeAll(async () => {
  expect(await seedDemo()).toBe(true);
}, 60_000);

it("has a ledger without differences, whose balances follow from the entries and never fall below zero", async () => {
  await checkLedgerJob();
  const checked = await prisma().auditEvent.findFirstOrThrow({
    where: { action: "ledger.checked" },
    orderBy: { id: "desc" },
  });
  expect(checked.details).toEqual({ differences: 0 });
  const entries = await prisma().creditEntry.findMany({ orderBy: [{ userId: "asc" }, { id: "asc" }] });
  const balances = new Map<number, number>();
  for (const { userId, amount, balance } of entries) {
    balances.set(userId, (balances.get(userId) ?? 0) + amount);
    expect(balance).toBe(balances.get(userId));
    expect(balance).toBeGreaterThanOrEqual(0);
  }
});

it("grants the credits that the plan promises, and uses no more", async () => {
  const accounts = await prisma().user.findMany({
    where: { creditEntries: { some: { reason: "admin_adjust" } } },
    include: { subscriptions: true, creditEntries: true, usage: true },
  });
  expect(accounts.length).toBeGreaterThan(5);
  for (const { subscriptions, creditEntries, usage } of accounts) {
    for (const { amount, note, createdAt } of creditEntries.filter(({ reason }) => reason === "admin_adjust"))
      expect(
        subscriptions.some(
          (each) =>
            each.planName === note &&
            each.monthlyCredits === amount &&
            each.startsAt <= createdAt &&
            each.endsAt >= createdAt,
        ),
      ).toBe(true);
    const used = -creditEntries
      .filter(({ reason }) => reason === "usage")
      .reduce((sum, { amount }) => sum + amount, 0);
    expect(used).toBe(usage.reduce((sum, { creditsUsed }) => sum + creditsUsed, 0));
  }
});

it("has every state once", async () => {
  const listValues = async (rows: Promise<Array<Record<string, string | null>>>) =>
    new Set((await rows).flatMap((row) => Object.values(row)));
  const db = prisma();
  for (const [rows, values] of [
    [
      db.subscription.findMany({ select: { status: true } }),
      ["pending", "active", "past_due", "expired", "cancelled"],
    ],
    [db.siteLicence.findMany({ select: { status: true } }), ["pending", "active", "expired", "cancelled"]],
    [
      db.site.findMany({ select: { suspendedReason: true } }),
      [null, "owner", "licence_unpaid", "subscription_ended", "administrator"],
    ],
    [
      db.accountingDocument.findMany({ select: { state: true } }),
      ["done", "needs_data", "failed", "skipped"],
    ],
    [db.connection.findMany({ select: { health: true } }), ["ok", "dead"]],
    [db.customerImport.findMany({ select: { state: true } }), ["done"]],
    [
      db.webhookDelivery.findMany({ select: { state: true } }),
      ["waiting", "delivered", "failed", "cancelled"],
    ],
  ] as const)
    expect([...(await listValues(rows))], values.join()).toEqual(expect.arrayContaining([...values]));
});

it("keeps the deadlines: invoices end with a Turkish day and none is late, paid licences were paid in time", async () => {
  const documents = await prisma().accountingDocument.findMany({ include: { payment: true } });
  for (const { deadlineAt, payment, state } of documents) {
    expect(deadlineAt).toEqual(getEndOfDay(toTurkishDay(payment.createdAt), { plusDays: 7 }));
    if (state !== "done" && state !== "skipped") expect(deadlineAt.getTime()).toBeGreaterThan(Date.now());
  }
  const licences = await prisma().siteLicence.findMany({ where: { paidAt: { not: null } } });
  expect(licences.length).toBeGreaterThan(2);
  for (const { paidAt, payBy, createdAt } of licences) {
    expect(paidAt! <= payBy).toBe(true);
    expect(paidAt! >= createdAt).toBe(true);
  }
  const accounts = await prisma().user.findMany({ include: { subscriptions: true, sites: true } });
  for (const { createdAt, subscriptions, sites } of accounts)
    for (const record of [...subscriptions, ...sites]) expect(record.createdAt >= createdAt).toBe(true);
});

it("shows a reseller's year: customers in each state, licences by customer, earnings and a pay-out", async () => {
  const reseller = await findAccount("reseller@example.com");
  const token = await makeToken(reseller.id);
  const overview = (await get("/api/reseller/overview", token)).json;
  for (const [state, count] of Object.entries(overview.customer_states))
    expect(count, state).toBeGreaterThan(0);
  expect(overview.licences_by_customer).toHaveLength(3);
  const { referral } = (await get("/api/reseller/referral", token)).json;
  expect(referral.payouts).toHaveLength(1);
  const sum = (rows: Array<{ amount: number; paid_out: boolean }>) =>
    Math.round(rows.reduce((total, { amount }) => total + amount * 100, 0));
  const paidOut = referral.earnings.filter((each: { paid_out: boolean }) => each.paid_out);
  expect(sum(paidOut)).toBe(Math.round(referral.payouts[0].amount * 100));
  expect(sum(referral.earnings) - sum(paidOut)).toBe(Math.round(overview.earnings[0].open * 100));
  expect(
    new Set(referral.earnings.map((each: { paid_at: string }) => each.paid_at.slice(0, 7))).size,
  ).toBeGreaterThan(7);
});

it("keeps the contract of everything that its accounts can read", async () => {
  const readable = getHandlers().filter(({ operation }) => operation.method === "GET");
  for (const email of ["customer@example.com", "reseller@example.com", "admin@example.com"]) {
    const token = await makeToken((await findAccount(email)).id, { provenAt: new Date() });
    let readCount = 0;
    for (const { operation } of readable) {
      const { status } = await get(buildSamplePath(operation), token);
      expect(status, `${operation.id} as ${email}`).toBeLessThan(500);
      if (status === 200) readCount++;
    }
    expect(readCount, email).toBeGreaterThan(40);
  }
}, 60_000);

it("has hash chains that verify", async () => {
  await sealEntries({ maxEntries: 5000, minAgeSeconds: 0 });
  expect((await verifyAudit(withoutTransaction())).broken).toBeUndefined();
  expect((await verifyConsentLedger(withoutTransaction())).broken).toBeUndefined();
  const entries = await prisma().auditEvent.findMany({ orderBy: { id: "asc" }, select: { at: true } });
  for (const [index, { at }] of entries.entries())
    if (index > 0) expect(at >= entries[index - 1]!.at).toBe(true);
});
