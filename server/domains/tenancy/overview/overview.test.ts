import { expect, it } from "vitest";
import { DAY, fromNow } from "@/server/core/time";
import { pool, prisma } from "@/server/infrastructure/database/client";
import {
  makeLicence,
  makePayment,
  makeReseller,
  makeSignedInUser,
  makeSite,
  makeSubscription,
  makeToken,
  makeUser,
} from "@/server/testing/factories";
import { makeDocument } from "@/server/testing/invoices";
import { startTestServer } from "@/server/testing/server";

const { get } = await startTestServer();
const token = await makeToken((await makeUser({ role: "admin" })).id);
const readOverview = async () => (await get("/api/admin/overview", token)).json;

const LONG_AGO = new Date("2026-01-05T00:00:00Z");

it("counts late, due and failed invoices, failed jobs and sign-ups refused within a day", async () => {
  const pastDeadline = new Date(Date.now() - 1000);
  await makeDocument({ deadlineAt: pastDeadline });
  await makeDocument({ deadlineAt: pastDeadline, state: "skipped", skippedAt: pastDeadline });
  await makeDocument({ deadlineAt: pastDeadline, state: "failed", step: "contact" });
  await makeDocument({ state: "failed", step: "contact" });
  const { id: dueId } = await makeDocument({ state: "needs_data", step: "queued", deadlineAt: fromNow(DAY) });
  await makeDocument({ deadlineAt: fromNow(3 * DAY) });
  const { rows } = await pool().query(
    "select id from graphile_worker.add_job('forget_tokens', '{}', run_at => now() + interval '1 hour', max_attempts => 1)",
  );
  expect((await readOverview()).overview).toMatchObject({ failed_jobs: 0, refused_sign_ups: 0 });
  await pool().query("update graphile_worker._private_jobs set attempts = 1 where id = $1", [rows[0].id]);
  const refusal = { domain: "x.test", reason: "disposable", ipBucket: new Uint8Array(1) };
  await prisma().signUpRefusal.createMany({ data: [refusal, { ...refusal, at: LONG_AGO }] });
  expect((await readOverview()).overview).toMatchObject({
    late_invoices: 2,
    due_invoices: 1,
    failed_invoices: 2,
    failed_jobs: 1,
    refused_sign_ups: 1,
  });
  const dueItems = (await readOverview()).waiting.filter(
    ({ kind }: { kind: string }) => kind === "due_invoices",
  );
  expect(dueItems).toMatchObject([{ id: dueId }]);
});

it("sums the last 30 days without deleted accounts and reversed payments", async () => {
  const initialMonth = (await readOverview()).month;
  const person = await makeUser();
  await makeUser({ createdAt: LONG_AGO });
  await makeUser({ anonymisedAt: new Date() });
  await makeSite(person.id);
  // The sum exceeds a 32-bit integer.
  for (const payment of [
    { amountMinor: 2_000_000_000 },
    { amountMinor: 2_000_000_050 },
    { amountMinor: 700, state: "reversed" as const, reversedAt: new Date() },
    { amountMinor: 700, paidAt: LONG_AGO },
    { amountMinor: 700, currency: "USD" },
  ])
    await makePayment(person.id, { paidAt: new Date(), ...payment });
  const { month } = await readOverview();
  expect(month.sign_ups - initialMonth.sign_ups).toBe(1);
  expect(month.sites - initialMonth.sites).toBe(1);
  expect(month.revenue - initialMonth.revenue).toBeCloseTo(40_000_000.5, 2);
});

it("names the most urgent tasks with account and amount", async () => {
  const person = await makeUser({ name: "Ayşe Kaya" });
  const changeSubscription = (id: number, data: object) =>
    prisma().subscription.update({ where: { id }, data });
  const orders = await Promise.all([20, 2, 30, 10].map((days) => makeSubscription(person.id, { days })));
  for (const [index, { id }] of orders.entries())
    await changeSubscription(id, { status: "pending", priceMinor: 100_000 + index });
  await makeSubscription(person.id, { plan: "starter", days: -2, status: "past_due" });
  const licence = await makeLicence(person.id);
  const { waiting } = await readOverview();
  const listIds = (kind: string) =>
    waiting.filter((item: { kind: string }) => item.kind === kind).map(({ id }: { id: number }) => id);
  expect(listIds("orders")).toEqual([orders[1]!.id, orders[3]!.id, orders[0]!.id]);
  const account = { user_id: person.id, user_name: "Ayşe Kaya" };
  expect(waiting).toContainEqual(
    expect.objectContaining({
      kind: "orders",
      id: orders[1]!.id,
      ...account,
      subject: "Pro",
      amount: 1000.01,
    }),
  );
  expect(waiting).toContainEqual(
    expect.objectContaining({ kind: "past_due", ...account, subject: "Starter", amount: 2999 }),
  );
  expect(waiting).toContainEqual(
    expect.objectContaining({ kind: "licences", id: licence.id, ...account, amount: 3999 }),
  );
});

it("shows resellers their own customers, debts and earnings, once they have signed", async () => {
  const reseller = await makeSignedInUser({ role: "reseller" });
  const readResellerOverview = () => get("/api/reseller/overview", reseller.token);
  expect((await get("/api/reseller/overview", token)).status).toBe(403);
  await makeReseller(reseller.id);
  await makeUser({ resellerId: reseller.id });
  await makeUser({ resellerId: reseller.id, createdAt: fromNow(-31 * DAY) });
  await makeUser({ resellerId: reseller.id, anonymisedAt: new Date() });
  await makeLicence(reseller.id);
  await makeLicence(reseller.id);
  await makeLicence(reseller.id, { status: "active" });
  expect((await readResellerOverview()).json).toMatchObject({
    ...{ customers: 2, new_customers: 1, customers_at_risk: [], earnings: [], referral_rate: 0 },
    licences_to_pay: { count: 2, amount: 7998 },
  });
  await prisma().reseller.update({ where: { userId: reseller.id }, data: { agreementSignedAt: null } });
  expect((await readResellerOverview()).status).toBe(403);
});

it("names only the reseller's own customers whose plan is not paid", async () => {
  const reseller = await makeSignedInUser({ role: "reseller" });
  await makeReseller(reseller.id);
  const suspended = { isActive: false, suspendedReason: "subscription_ended" as const };
  const offlineCustomer = await makeUser({ resellerId: reseller.id });
  await makeSite(offlineCustomer.id, suspended);
  await makeSite(offlineCustomer.id, suspended);
  const pastDueCustomer = await makeUser({ resellerId: reseller.id });
  const { endsAt } = await makeSubscription(pastDueCustomer.id, { days: -2, status: "past_due" });
  await makeSite((await makeUser({ resellerId: reseller.id })).id, {
    isActive: false,
    suspendedReason: "owner",
  });
  const stranger = await makeUser();
  await makeSite(stranger.id, suspended);
  await makeSubscription(stranger.id, { days: -2, status: "past_due" });
  const until = new Date(endsAt.getTime() + 7 * DAY).toISOString().replace("Z", "000Z");
  expect((await get("/api/reseller/overview", reseller.token)).json.customers_at_risk).toEqual([
    {
      ...{ id: offlineCustomer.id, name: offlineCustomer.name, kind: "offline" },
      ...{ sites_count: 2, plan: null, until: null },
    },
    {
      ...{ id: pastDueCustomer.id, name: pastDueCustomer.name, kind: "past_due" },
      ...{ sites_count: null, plan: "Pro", until },
    },
  ]);
});
