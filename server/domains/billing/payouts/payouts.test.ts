import { describe, expect, it } from "vitest";
import { toTurkishDay } from "@/server/core/calendar";
import { DAY, fromNow } from "@/server/core/time";
import { prisma } from "@/server/infrastructure/database/client";
import { burst, countByStatus } from "@/server/testing/burst";
import { makePayment, makeReseller, makeToken, makeUser } from "@/server/testing/factories";
import { readMails } from "@/server/testing/mailbox";
import { startTestServer } from "@/server/testing/server";

const server = await startTestServer();
const { get, post } = server;

async function makeSignedInReseller(data: Parameters<typeof makeUser>[0] = {}) {
  const user = await makeUser({ role: "reseller", ...data });
  await makeReseller(user.id);
  return { ...user, token: await makeToken(user.id) };
}
type SignedInReseller = Awaited<ReturnType<typeof makeSignedInReseller>>;
const makeAdmin = async () => makeToken((await makeUser({ role: "admin" })).id, { provenAt: new Date() });

/** Creates an earning by a customer's payment; returns the payment's ID. */
async function makeEarning(
  { id: resellerId }: SignedInReseller,
  amountMinor: number,
  days = 0,
): Promise<number> {
  const customer = await makeUser({ resellerId });
  const { id: paymentId } = await makePayment(customer.id);
  const earning = { resellerId, paymentId, amountMinor, ratePercent: 10, createdAt: fromNow(-days * DAY) };
  await prisma().referralEarning.create({ data: earning });
  return paymentId;
}

const readReferral = async ({ token }: SignedInReseller) =>
  (await get("/api/reseller/referral", token)).json.referral;
const recordPayout = ({ id }: Pick<SignedInReseller, "id">, token: string, body: object) =>
  post(`/api/admin/users/${id}/payouts`, body, { token });
const reverse = (paymentId: number, token: string) =>
  post(
    `/api/admin/payments/${paymentId}/reverse`,
    { reason: "Came back", confirmation: "REVERSE" },
    { token },
  );

describe("a pay-out", () => {
  it("is recorded once by concurrent calls, mailed in the reseller's language and listed on both sides", async () => {
    const [reseller, admin] = [
      await makeSignedInReseller({ locale: "de", name: "Selin Pay" }),
      await makeAdmin(),
    ];
    for (const amount of [10_005, 20_000]) await makeEarning(reseller, amount);
    const listEarnings = async () =>
      (await get("/api/admin/referral-earnings?q=selin%20pay", admin)).json.data as object[];
    expect(await listEarnings()).toEqual([
      expect.objectContaining({
        id: reseller.id,
        open: 300.05,
        paid: 0,
        currency: "TRY",
        last_paid_at: null,
      }),
    ]);
    const body = { amount: "300.05", reference: "T-77", note: "Ekim" };
    const responses = await burst(12, () => recordPayout(reseller, admin, body));
    expect(countByStatus(responses)).toEqual({ 201: 1, 422: 11 });
    const today = toTurkishDay(new Date());
    const expectedPayout = { amount: 300.05, currency: "TRY", until: today, paid_at: today };
    expect(responses.find(({ status }) => status === 201)!.json.payout).toMatchObject({
      ...expectedPayout,
      reference: "T-77",
    });
    expect(await prisma().referralPayout.count({ where: { resellerId: reseller.id } })).toBe(1);
    expect(await listEarnings()).toEqual([
      expect.objectContaining({ open: 0, paid: 300.05, last_paid_at: today }),
    ]);
    const { sums, payouts, earnings } = await readReferral(reseller);
    expect(sums).toEqual([{ currency: "TRY", paid: 300.05, open: 0 }]);
    expect(payouts).toEqual([
      expect.objectContaining({ ...expectedPayout, reference: "T-77", note: "Ekim" }),
    ]);
    expect(earnings.map(({ paid_out }: { paid_out: boolean }) => paid_out)).toEqual([true, true]);
    const mails = await readMails(server, reseller.email, "payout_recorded");
    expect(mails.map(({ subject }) => subject)).toEqual([expect.stringContaining("ausgezahlt")]);
    expect(mails[0]!.text).toMatch(/300,05.*T-77/s);
    const entries = await prisma().auditEvent.count({ where: { action: "payout.recorded" } });
    expect(entries).toBe(1);
  });

  it("is reduced by earnings reversed after an earlier pay-out, also when both run concurrently", async () => {
    const [reseller, admin] = [await makeSignedInReseller(), await makeAdmin()];
    const first = await makeEarning(reseller, 30_000);
    expect((await recordPayout(reseller, admin, { amount: 300 })).status).toBe(201);
    expect((await reverse(first, admin)).status).toBe(200);
    expect((await readReferral(reseller)).sums).toEqual([{ currency: "TRY", paid: 300, open: -300 }]);
    expect((await readReferral(reseller)).earnings).toEqual([
      expect.objectContaining({ state: "void", paid_out: true }),
    ]);
    for (const amount of [300, "-300", 0])
      expect((await recordPayout(reseller, admin, { amount })).status).toBe(422);

    await makeEarning(reseller, 50_005);
    expect((await readReferral(reseller)).sums[0].open).toBe(200.05);
    expect((await recordPayout(reseller, admin, { amount: 500.05 })).status).toBe(422);
    expect((await recordPayout(reseller, admin, { amount: 200.05 })).status).toBe(201);
    expect((await readReferral(reseller)).sums).toEqual([{ currency: "TRY", paid: 500.05, open: 0 }]);

    for (let round = 0; round < 4; round++) {
      const payment = await makeEarning(reseller, 10_000);
      const before = (await readReferral(reseller)).sums[0];
      const [payoutResponse, reversal] = await Promise.all([
        recordPayout(reseller, admin, { amount: before.open }),
        reverse(payment, admin),
      ]);
      expect(reversal.status).toBe(200);
      const after = (await readReferral(reseller)).sums[0];
      // Either it was paid out and is owed back, or it was not paid out.
      const paidOut = payoutResponse.status === 201 ? before.open : 0;
      expect(after.paid).toBeCloseTo(before.paid + paidOut, 2);
      expect(after.open).toBeCloseTo(before.open - 100 - paidOut, 2);
      await makeEarning(reseller, 20_000);
      const { open } = (await readReferral(reseller)).sums[0];
      expect((await recordPayout(reseller, admin, { amount: open })).status).toBe(201);
    }
  });

  it("includes earnings up to a day, and is replayed under the same idempotency key", async () => {
    const [reseller, admin] = [await makeSignedInReseller({ name: "Deniz Until" }), await makeAdmin()];
    await makeEarning(reseller, 10_000, 40);
    await makeEarning(reseller, 7_000);
    const until = toTurkishDay(fromNow(-30 * DAY));
    const { json } = await get(`/api/admin/referral-earnings?q=until&until=${until}`, admin);
    expect(json.until).toEqual(until);
    expect(json.data[0].open).toBe(100);
    const request = { token: admin, headers: { "idempotency-key": "payout-of-october-1" } };
    const body = { amount: 100, until };
    const [first, replay] = [
      await post(`/api/admin/users/${reseller.id}/payouts`, body, request),
      await post(`/api/admin/users/${reseller.id}/payouts`, body, request),
    ];
    expect(first.status).toBe(201);
    expect(replay.status).toBe(201);
    expect(replay.json.payout.id).toEqual(first.json.payout.id);
    expect((await readReferral(reseller)).sums).toEqual([{ currency: "TRY", paid: 100, open: 70 }]);
    const tomorrow = toTurkishDay(fromNow(2 * DAY));
    const future = await recordPayout(reseller, admin, { amount: 70, paid_at: tomorrow });
    expect(Object.keys(future.json.errors)).toEqual(["paid_at"]);
  });

  it("returns 404 for an account that does not exist", async () => {
    expect((await recordPayout({ id: 2_147_483_000 }, await makeAdmin(), { amount: 1 })).status).toBe(404);
  });
});
