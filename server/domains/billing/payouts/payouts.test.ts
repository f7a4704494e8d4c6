import { describe, expect, it } from "vitest";
import { dayOf } from "@/server/core/calendar";
import { DAY, fromNow } from "@/server/core/time";
import { prisma } from "@/server/infrastructure/database/client";
import { burst, tally } from "@/server/testing/burst";
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

/** Something that was earned by a payment of a customer. */
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
  it("is recorded once by many at once, told in the reseller's language, and seen on both sides", async () => {
    const [seller, admin] = [await makeSeller({ locale: "de", name: "Selin Pay" }), await makeAdmin()];
    for (const amount of [10_005, 20_000]) await earn(seller, amount);
    const listed = async () =>
      (await get("/api/admin/referral-earnings?q=selin%20pay", admin)).json.data as object[];
    expect(await listed()).toEqual([
      expect.objectContaining({ id: seller.id, open: 300.05, paid: 0, currency: "TRY", last_paid_at: null }),
    ]);
    const body = { amount: "300.05", reference: "T-77", note: "Ekim" };
    const answers = await burst(12, () => pay(seller, admin, body));
    expect(tally(answers)).toEqual({ 201: 1, 422: 11 });
    const today = dayOf(new Date());
    const paid = { amount: 300.05, currency: "TRY", until: today, paid_at: today };
    expect(answers.find(({ status }) => status === 201)!.json.payout).toMatchObject({
      ...paid,
      reference: "T-77",
    });
    expect(await prisma().referralPayout.count({ where: { resellerId: seller.id } })).toBe(1);
    expect(await listed()).toEqual([expect.objectContaining({ open: 0, paid: 300.05, last_paid_at: today })]);
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

  it("is less by what was taken back after an earlier one, however the reversal and the pay-out meet", async () => {
    const [seller, admin] = [await makeSeller(), await makeAdmin()];
    const first = await earn(seller, 30_000);
    expect((await pay(seller, admin, { amount: 300 })).status).toBe(201);
    expect((await reverse(first, admin)).status).toBe(200);
    expect((await referralOf(seller)).sums).toEqual([{ currency: "TRY", paid: 300, open: -300 }]);
    expect((await referralOf(seller)).earnings).toEqual([
      expect.objectContaining({ state: "void", paid_out: true }),
    ]);
    // A debt is not paid out.
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
      // Either the money went out and is owed back, or it never went.
      const went = paid.status === 201 ? before.open : 0;
      expect(after.paid).toBeCloseTo(before.paid + went, 2);
      expect(after.open).toBeCloseTo(before.open - 100 - went, 2);
      // The debt is settled before the next round.
      await earn(seller, 20_000);
      const { open } = (await referralOf(seller)).sums[0];
      expect((await pay(seller, admin, { amount: open })).status).toBe(201);
    }
  });

  it("has what was earned until a day, and is repeated without effect under the same key", async () => {
    const [seller, admin] = [await makeSeller({ name: "Deniz Until" }), await makeAdmin()];
    await earn(seller, 10_000, 40);
    await earn(seller, 7_000);
    const until = dayOf(fromNow(-30 * DAY));
    const { json } = await get(`/api/admin/referral-earnings?q=until&until=${until}`, admin);
    expect(json.until).toEqual(until);
    expect(json.data[0].open).toBe(100);
    const request = { token: admin, headers: { "idempotency-key": "payout-of-october-1" } };
    const body = { amount: 100, until };
    const [once, again] = [
      await post(`/api/admin/users/${seller.id}/payouts`, body, request),
      await post(`/api/admin/users/${seller.id}/payouts`, body, request),
    ];
    expect(once.status).toBe(201);
    expect(again.status).toBe(201);
    expect(again.json.payout.id).toEqual(once.json.payout.id);
    expect((await referralOf(seller)).sums).toEqual([{ currency: "TRY", paid: 100, open: 70 }]);
    const tomorrow = dayOf(fromNow(2 * DAY));
    const early = await pay(seller, admin, { amount: 70, paid_at: tomorrow });
    expect(Object.keys(early.json.errors)).toEqual(["paid_at"]);
  });

  it("is 404 for an account that does not exist", async () => {
    expect((await pay({ id: 2_147_483_000 }, await makeAdmin(), { amount: 1 })).status).toBe(404);
  });
});
