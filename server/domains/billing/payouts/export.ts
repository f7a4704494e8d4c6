import type { ExportReader } from "@/server/core/domain";
import { PAYOUT, payoutOf } from "./service/list";

export const exports = {
  referral_payouts: async (db, resellerId) => {
    const rows = await db.referralPayout.findMany({
      where: { resellerId },
      orderBy: { id: "asc" },
      select: PAYOUT,
    });
    return rows.map(payoutOf);
  },
} as const satisfies Record<string, ExportReader>;
