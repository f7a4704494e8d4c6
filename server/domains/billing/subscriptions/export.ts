import type { Reader } from "@/server/core/domain";

export const exports = {
  subscriptions: async (db, userId) => {
    const rows = await db.subscription.findMany({
      where: { userId },
      orderBy: { id: "asc" },
      select: {
        id: true,
        plan: { select: { name: true, price: true, currency: true } },
        status: true,
        siteSlots: true,
        startsAt: true,
        endsAt: true,
        createdAt: true,
      },
    });
    return rows.map(({ id, plan, ...row }) => ({
      id,
      plan: plan.name,
      price: plan.price,
      currency: plan.currency,
      ...row,
    }));
  },
} as const satisfies Record<string, Reader>;
