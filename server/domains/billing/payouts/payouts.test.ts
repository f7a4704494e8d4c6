import { describe, expect, it } from "vitest";
import { dayOf } from "@/server/core/calendar";
import { DAY, fromNow } from "@/server/core/time";
import { prisma } from "@/server/infrastructure/database/client";
import { burst, countByStatus } from "@/server/testing/burst";
import { makePayment, makeReseller, makeToken, makeUser } from "@/server/testing/factories";
import { mailsTo } from "@/server/testing/mailbox";
import { testServer } from "@/server/testing/server";

const server = await testServer();
const { get, post } = server;

async function makeSeller(data: Parameters<typeof makeUser>[0] = {}) {
  const user = await makeUser({ role: "reseller", ...data });
  await makeReseller(user.id);
  return { ...user, token: await makeToken(user.id) };
}
type Seller = Awaited<ReturnType<typeof makeSeller>>;
const makeAdmin = async () => makeToken((await makeUser({ role: "admin" })).id, { provenAt: new Date() });

/** Creates an earning by a customer's payment; returns the payment's ID. */
async function earn({ id: resellerId }: Seller, amountMinor: number, days = 0): Promise<number> {
  const customer = await makeUser({ resellerId });
  const { id: paymentId } = await makePayment(customer.id);
  const earning = { resellerId, paymentId, amountMinor, ratePercent: 10, createdAt: fromNow(-days * DAY) };
  await prisma().referralEarning.create({ data: earning });
  return paymentId;
}

const referralOf = async ({ token }: Seller) => (await get("/api/reseller/referral", token)).json.referral;
const pay = ({ id }: Pick<Seller, "id">, token: string, body: object) =>
  post(`/api/admin/users/${id}/payouts`, body, { token });
const reverse = (paymentId: number, token: string) =>
  post(
    `/api/admin/payments/${paymentId}/reverse`,
    { reason: "Came back", confirmation: "REVERSE" },
    { token },
  );

describe("a pay-out", () => {
  it("is recorded once by concurrent calls, mailed in the reseller's language and listed on both sides", async () => {
    const [seller, admin] = [await makeSeller({ locale: "de", name: "Selin Pay" }), await makeAdmin()];
    for (const amount of [10_005, 20_000]) await earn(seller, amount);
    const listEarnings = async () =>
      (await get("/api/admin/referral-earnings?q=selin%20pay", admin)).json.data as object[];
    expect(await listEarnings()).toEqual([
      expect.objectContaining({ id: seller.id, open: 300.05, paid: 0, currency: "TRY", last_paid_at: null }),
    ]);
    const body = { amount: "300.05", reference: "T-77", note: "Ekim" };
    const responses = await burst(12, () => pay(seller, admin, body));
    expect(countByStatus(responses)).toEqual({ 201: 1, 422: 11 });
    const today = dayOf(new Date());
    const paid = { amount: 300.05, currency: "TRY", until: today, paid_at: today };
    expect(responses.find(({ status }) => status === 201)!.json.payout).toMatchObject({
      ...paid,
      reference: "T-77",
    });
    expect(await prisma().referralPayout.count({ where: { resellerId: seller.id } })).toBe(1);
    expect(await listEarnings()).toEqual([
      expect.objectContaining({ open: 0, paid: 300.05, last_paid_at: today }),
    ]);
    const { sums, payouts, earnings } = await referralOf(seller);
    expect(sums).toEqual([{ currency: "TRY", paid: 300.05, open: 0 }]);
    expect(payouts).toEqual([expect.objectContaining({ ...paid, reference: "T-77", note: "Ekim" })]);
    expect(earnings.map(({ paid_out }: { paid_out: boolean }) => paid_out)).toEqual([true, true]);
    const mails = await mailsTo(server, seller.email, "payout_recorded");
    expect(mails.map(({ subject }) => subject)).toEqual([expect.stringContaining("ausgezahlt")]);
    expect(mails[0]!.text).toMatch(/300,05.*T-77/s);
    const entries = await prisma().auditEvent.count({ where: { action: "payout.recorded" } });
    expect(entries).toBe(1);
  });

  it("is reduced by earnings reversed after an earlier pay-out, also when both run concurrently", async () => {
    const [seller, admin] = [await makeSeller(), await makeAdmin()];
    const first = await earn(seller, 30_000);
    expect((await pay(seller, admin, { amount: 300 })).status).toBe(201);
    expect((await reverse(first, admin)).status).toBe(200);
    expect((await referralOf(seller)).sums).toEqual([{ currency: "TRY", paid: 300, open: -300 }]);
    expect((await referralOf(seller)).earnings).toEqual([
      expect.objectContaining({ state: "void", paid_out: true }),
    ]);
    for (const amount of [300, "-300", 0]) expect((await pay(seller, admin, { amount })).status).toBe(422);

    await earn(seller, 50_005);
    expect((await referralOf(seller)).sums[0].open).toBe(200.05);
    expect((await pay(seller, admin, { amount: 500.05 })).status).toBe(422);
    expect((await pay(seller, admin, { amount: 200.05 })).status).toBe(201);
    expect((await referralOf(seller)).sums).toEqual([{ currency: "TRY", paid: 500.05, open: 0 }]);

    for (let round = 0; round < 4; round++) {
      const payment = await earn(seller, 10_000);
      const before = (await referralOf(seller)).sums[0];
      const [paid, reversed] = await Promise.all([
        pay(seller, admin, { amount: before.open }),
        reverse(payment, admin),
      ]);
      expect(reversed.status).toBe(200);
      const after = (await referralOf(seller)).sums[0];
      // Either it was paid out and is owed back, or it was not paid out.
      const paidOut = paid.status === 201 ? before.open : 0;
      expect(after.paid).toBeCloseTo(before.paid + paidOut, 2);
      expect(after.open).toBeCloseTo(before.open - 100 - paidOut, 2);
      await earn(seller, 20_000);
      const { open } = (await referralOf(seller)).sums[0];
      expect((await pay(seller, admin, { amount: open })).status).toBe(201);
    }
  });

  it("includes earnings up to a day, and is replayed under the same idempotency key", async () => {
    const [seller, admin] = [await makeSeller({ name: "Deniz Until" }), await makeAdmin()];
    await earn(seller, 10_000, 40);
    await earn(seller, 7_000);
    const until = dayOf(fromNow(-30 * DAY));
    const { json } = await get(`/api/admin/referral-earnings?q=until&until=${until}`, admin);
    expect(json.until).toEqual(until);
    expect(json.data[0].open).toBe(100);
    const request = { token: admin, headers: { "idempotency-key": "payout-of-october-1" } };
    const body = { amount: 100, until };
    const [first, replay] = [
      await post(`/api/admin/users/${seller.id}/payouts`, body, request),
      await post(`/api/admin/users/${seller.id}/payouts`, body, request),
    ];
    expect(first.status).toBe(201);
    expect(replay.status).toBe(201);
    expect(replay.json.payout.id).toEqual(first.json.payout.id);
    expect((await referralOf(seller)).sums).toEqual([{ currency: "TRY", paid: 100, open: 70 }]);
    const tomorrow = dayOf(fromNow(2 * DAY));
    const future = await pay(seller, admin, { amount: 70, paid_at: tomorrow });
    expect(Object.keys(future.json.errors)).toEqual(["paid_at"]);
  });

  it("returns 404 for an account that does not exist", async () => {
    expect((await pay({ id: 2_147_483_000 }, await makeAdmin(), { amount: 1 })).status).toBe(404);
  });
});
