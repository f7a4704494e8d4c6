import { describe, expect, it } from "vitest";
import { toTurkishDay } from "@/server/core/calendar";
import { DAY, fromNow } from "@/server/core/time";
import { prisma } from "@/server/infrastructure/database/client";
import { countByStatus, runConcurrently } from "@/server/testing/burst";
import { makePayment, makeReseller, makeToken, makeUser } from "@/server/testing/factories";
import { deliverAndReadMails } from "@/server/testing/mailbox";
import { startTestServer } from "@/server/testing/server";

const server = await startTestServer();
const { get, post } = server;

async function makeSignedInReseller(userFields: Parameters<typeof makeUser>[0] = {}) {
  const user = await makeUser({ role: "reseller", ...userFields });
  await makeReseller(user.id);
  return { ...user, token: await makeToken(user.id) };
}
type SignedInReseller = Awaited<ReturnType<typeof makeSignedInReseller>>;
const makeAdminToken = async () =>
  makeToken((await makeUser({ role: "admin" })).id, { provenAt: new Date() });

async function makeEarning(
  { id: resellerId }: SignedInReseller,
  amountMinor: number,
  ageDays = 0,
): Promise<number> {
  const customer = await makeUser({ resellerId });
  const { id: paymentId } = await makePayment(customer.id);
  const earning = { resellerId, paymentId, amountMinor, ratePercent: 10, createdAt: fromNow(-ageDays * DAY) };
  await prisma().referralEarning.create({ data: earning });
  return paymentId;
}

const readReferral = async ({ token }: SignedInReseller) =>
  (await get("/api/reseller/referral", token)).json.referral;
const recordPayout = ({ id }: Pick<SignedInReseller, "id">, token: string, body: object) =>
  post(`/api/admin/users/${id}/payouts`, body, { token });
const reversePayment = (paymentId: number, token: string) =>
  post(
    `/api/admin/payments/${paymentId}/reverse`,
    { reason: "Came back", confirmation: "REVERSE" },
    { token },
  );

describe("a pay-out", () => {
  it("is recorded once by concurrent calls, mailed in the reseller's language and listed on both sides", async () => {
    const [reseller, adminToken] = [
      await makeSignedInReseller({ locale: "de", name: "Selin Pay" }),
      await makeAdminToken(),
    ];
    for (const amount of [10_005, 20_000]) await makeEarning(reseller, amount);
    const listEarnings = async () =>
      (await get("/api/admin/referral-earnings?q=selin%20pay", adminToken)).json.data as object[];
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
    const responses = await runConcurrently(12, () => recordPayout(reseller, adminToken, body));
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
    const mails = await deliverAndReadMails(server, reseller.email, "payout_recorded");
    expect(mails.map(({ subject }) => subject)).toEqual([expect.stringContaining("ausgezahlt")]);
    expect(mails[0]!.text).toMatch(/300,05.*T-77/s);
    // Counts all pay-outs of this file, so this test must stay the first.
    const auditCount = await prisma().auditEvent.count({ where: { action: "payout.recorded" } });
    expect(auditCount).toBe(1);
  });

  it("is reduced by earnings that were reversed after they were paid out, even by a concurrent reversal", async () => {
    const [reseller, adminToken] = [await makeSignedInReseller(), await makeAdminToken()];
    const reversedPaymentId = await makeEarning(reseller, 30_000);
    expect((await recordPayout(reseller, adminToken, { amount: 300 })).status).toBe(201);
    expect((await reversePayment(reversedPaymentId, adminToken)).status).toBe(200);
    expect((await readReferral(reseller)).sums).toEqual([{ currency: "TRY", paid: 300, open: -300 }]);
    expect((await readReferral(reseller)).earnings).toEqual([
      expect.objectContaining({ state: "void", paid_out: true }),
    ]);
    for (const amount of [300, "-300", 0])
      expect((await recordPayout(reseller, adminToken, { amount })).status).toBe(422);

    await makeEarning(reseller, 50_005);
    expect((await readReferral(reseller)).sums[0].open).toBe(200.05);
    expect((await recordPayout(reseller, adminToken, { amount: 500.05 })).status).toBe(422);
    expect((await recordPayout(reseller, adminToken, { amount: 200.05 })).status).toBe(201);
    expect((await readReferral(reseller)).sums).toEqual([{ currency: "TRY", paid: 500.05, open: 0 }]);

    for (let round = 0; round < 4; round++) {
      const paymentId = await makeEarning(reseller, 10_000);
      const sumsBefore = (await readReferral(reseller)).sums[0];
      const [payoutResponse, reversalResponse] = await Promise.all([
        recordPayout(reseller, adminToken, { amount: sumsBefore.open }),
        reversePayment(paymentId, adminToken),
      ]);
      expect(reversalResponse.status).toBe(200);
      const sumsAfter = (await readReferral(reseller)).sums[0];
      // If the pay-out came first, the earning is owed back; otherwise it was never paid out.
      const paidOutAmount = payoutResponse.status === 201 ? sumsBefore.open : 0;
      expect(sumsAfter.paid).toBeCloseTo(sumsBefore.paid + paidOutAmount, 2);
      expect(sumsAfter.open).toBeCloseTo(sumsBefore.open - 100 - paidOutAmount, 2);
      await makeEarning(reseller, 20_000);
      const { open } = (await readReferral(reseller)).sums[0];
      expect((await recordPayout(reseller, adminToken, { amount: open })).status).toBe(201);
    }
  });

  it("includes earnings up to a given day, and is replayed under the same idempotency key", async () => {
    const [reseller, adminToken] = [
      await makeSignedInReseller({ name: "Deniz Until" }),
      await makeAdminToken(),
    ];
    await makeEarning(reseller, 10_000, 40);
    await makeEarning(reseller, 7_000);
    const until = toTurkishDay(fromNow(-30 * DAY));
    const { json } = await get(`/api/admin/referral-earnings?q=until&until=${until}`, adminToken);
    expect(json.until).toEqual(until);
    expect(json.data[0].open).toBe(100);
    const options = { token: adminToken, headers: { "idempotency-key": "payout-of-october-1" } };
    const body = { amount: 100, until };
    const [firstResponse, replayResponse] = [
      await post(`/api/admin/users/${reseller.id}/payouts`, body, options),
      await post(`/api/admin/users/${reseller.id}/payouts`, body, options),
    ];
    expect(firstResponse.status).toBe(201);
    expect(replayResponse.status).toBe(201);
    expect(replayResponse.json.payout.id).toEqual(firstResponse.json.payout.id);
    expect((await readReferral(reseller)).sums).toEqual([{ currency: "TRY", paid: 100, open: 70 }]);
    const futureDay = toTurkishDay(fromNow(2 * DAY));
    const futureResponse = await recordPayout(reseller, adminToken, { amount: 70, paid_at: futureDay });
    expect(Object.keys(futureResponse.json.errors)).toEqual(["paid_at"]);
  });

  it("returns 404 for an account that does not exist", async () => {
    expect((await recordPayout({ id: 2_147_483_000 }, await makeAdminToken(), { amount: 1 })).status).toBe(
      404,
    );
  });
});
