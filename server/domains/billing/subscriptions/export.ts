import type { ExportReader } from "@/server/core/domain";
import { toAmount } from "@/server/core/money";

export const archiveReaders = {
  subscriptions: async (db, userId) => {
    const rows = await db.subscription.findMany({
      where: { userId },
      orderBy: { id: "asc" },
      select: {
        id: true,
        planName: true,
        priceMinor: true,
        currency: true,
        status: true,
        isTrial: true,
        reference: true,
        siteSlots: true,
        usedSlots: true,
        monthlyCredits: true,
        startsAt: true,
        endsAt: true,
        closedReason: true,
        renewsId: true,
        createdAt: true,
      },
    });
    return rows.map(({ id, planName, priceMinor, ...row }) => ({
      id,
      plan: planName,
      price: toAmount(priceMinor),
      ...row,
    }));
  },
} as const satisfies Record<string, ExportReader>;
