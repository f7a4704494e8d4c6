import { expect, it } from "vitest";
import {
  makeLicence,
  makePayment,
  makeSignedInUser,
  makeSubscription,
  makeUser,
} from "@/server/testing/factories";
import { startTestServer } from "@/server/testing/server";

const { get } = await startTestServer();
const { token } = await makeSignedInUser({ role: "admin" });
const { id: userId } = await makeUser();

/** A payment on a day in Turkey, for a plan of that name or, with null, for a licence. */
async function pay(day: string, amountMinor: number, planName: string | null, data: object = {}) {
  const paid = planName
    ? { subscriptionId: (await makeSubscription(userId, { planName })).id }
    : { subscriptionId: null, licenceId: (await makeLicence(userId)).id };
  await makePayment(userId, { ...paid, amountMinor, paidAt: new Date(day), ...data });
}

const read = async (query: string) =>
  (await get(`/api/admin/payments/series?from=2026-03-02&to=2026-03-04&${query}`, token)).json.data.lines;

it("sums payments by plan, currency and day of the payment in every time zone, without reversed ones", async () => {
  await pay("2026-03-01", 100, "Pro");
  await pay("2026-03-02", 1000, "Pro");
  await pay("2026-03-04", 2000, "Pro");
  await pay("2026-03-04", 500, "Starter");
  await pay("2026-03-03", 700, null);
  await pay("2026-03-03", 900, "Pro", { currency: "EUR" });
  await pay("2026-03-03", 5000, "Pro", { state: "reversed", reversedAt: new Date() });
  await pay("2026-03-05", 9000, "Pro");
  for (const zone of ["Europe/Istanbul", "America/New_York", "Pacific/Auckland"])
    expect(await read(`time_zone=${zone}&compare=previous`), zone).toMatchObject([
      {
        key: "Pro",
        currency: "TRY",
        unit: "minor",
        values: [1000, 0, 2000],
        total: 3000,
        previous_total: 100,
      },
      { key: "Pro", currency: "EUR", values: [0, 900, 0], total: 900, previous_total: 0 },
      { key: "licence", currency: "TRY", values: [0, 700, 0], total: 700 },
      { key: "Starter", currency: "TRY", values: [0, 0, 500], total: 500 },
    ]);
});

it("has at most six lines of a currency: the largest and the sum of the others", async () => {
  for (const [index, plan] of ["A", "B", "C", "D", "E"].entries()) await pay("2026-03-02", 10 + index, plan);
  const lines = (await read("time_zone=UTC")).filter((line: { currency: string }) => line.currency === "TRY");
  expect(lines.map(({ key, total }: { key: string; total: number }) => [key, total])).toEqual([
    ["Pro", 3000],
    ["licence", 700],
    ["Starter", 500],
    ["other", 10 + 11 + 12],
    ["E", 14],
    ["D", 13],
  ]);
});

it("refuses everyone but administrators", async () => {
  const { token: resellerToken } = await makeSignedInUser({ role: "reseller" });
  expect((await get("/api/admin/payments/series", resellerToken)).status).toBe(403);
});
