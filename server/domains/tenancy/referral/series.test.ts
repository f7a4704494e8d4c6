import { expect, it } from "vitest";
import { DAY, fromNow } from "@/server/core/time";
import { prisma } from "@/server/infrastructure/database/client";
import { makePayment, makeReseller, makeSignedInUser, makeUser } from "@/server/testing/factories";
import { startTestServer } from "@/server/testing/server";

const { get } = await startTestServer();

async function makeSignedReseller() {
  const reseller = await makeSignedInUser({ role: "reseller" });
  await makeReseller(reseller.id);
  return reseller;
}

const daysAgo = (days: number) =>
  fromNow(-days * DAY)
    .toISOString()
    .slice(0, 10);
const noon = (days: number) => new Date(`${daysAgo(days)}T12:00:00Z`);
const toFigures = (lines: { key: string; values: number[] }[]) =>
  Object.fromEntries(lines.map(({ key, values }) => [key, values]));

it("adds up the reseller's earnings, voided ones and pay-outs by day", async () => {
  const [reseller, other] = [await makeSignedReseller(), await makeSignedReseller()];
  const customer = await makeUser({ resellerId: reseller.id });
  const addEarning = async (
    resellerId: number,
    days: number,
    amountMinor: number,
    state: "earned" | "void",
  ) => {
    const payment = await makePayment(customer.id, { paidAt: noon(days) });
    await prisma().referralEarning.create({
      data: { resellerId, paymentId: payment.id, amountMinor, ratePercent: 10, state, createdAt: noon(days) },
    });
  };
  await addEarning(reseller.id, 9, 100, "earned");
  await addEarning(reseller.id, 4, 200, "earned");
  await addEarning(reseller.id, 2, 300, "earned");
  await addEarning(reseller.id, 2, 70, "void");
  await addEarning(other.id, 2, 9000, "earned");
  const day = new Date(daysAgo(3));
  await prisma().referralPayout.create({
    data: { resellerId: reseller.id, amountMinor: 250, until: day, paidAt: day },
  });
  for (const zone of ["UTC", "Pacific/Kiritimati"]) {
    const query = `from=${daysAgo(4)}&to=${daysAgo(1)}&interval=day&time_zone=${zone}`;
    const { json } = await get(`/api/reseller/referral/series?${query}`, reseller.token);
    expect(toFigures(json.data.lines).paid_out, zone).toEqual([0, 250, 0, 0]);
    if (zone === "UTC")
      expect(toFigures(json.data.lines)).toMatchObject({ earned: [200, 0, 300, 0], voided: [0, 0, 70, 0] });
  }
});
