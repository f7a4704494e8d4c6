import { addMonths, toTurkishDay } from "@/server/core/calendar";
import { prisma } from "@/server/infrastructure/database/client";

/** Pays out the earnings up to the end of the month before the last one, on the fifth day of the last month. */
export async function seedPayout(resellerId: number, administratorId: number): Promise<void> {
  const startOfLastMonth = new Date(
    `${toTurkishDay(addMonths(new Date(), -1)).slice(0, 7)}-01T00:00:00+03:00`,
  );
  const where = { resellerId, createdAt: { lt: startOfLastMonth } };
  const { _sum } = await prisma().referralEarning.aggregate({ where, _sum: { amountMinor: true } });
  const paidAt = new Date(`${toTurkishDay(startOfLastMonth).slice(0, 7)}-05T09:00:00Z`);
  const { id: payoutId } = await prisma().referralPayout.create({
    data: {
      ...{ resellerId, recordedById: administratorId, paidAt, createdAt: paidAt },
      amountMinor: _sum.amountMinor ?? 0,
      until: new Date(toTurkishDay(new Date(startOfLastMonth.getTime() - 1))),
      reference: "TELLAL HAKEDİŞ",
    },
    select: { id: true },
  });
  await prisma().referralEarning.updateMany({ where, data: { payoutId } });
}
