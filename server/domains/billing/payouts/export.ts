import type { ExportReader } from "@/server/core/domain";
import { PAYOUT_SELECT, toPayout } from "./service/list";

export const archiveReaders = {
  referral_payouts: async (db, resellerId) => {
    const rows = await db.referralPayout.findMany({
      where: { resellerId },
      orderBy: { id: "asc" },
      select: PAYOUT_SELECT,
    });
    return rows.map(toPayout);
  },
} as const satisfies Record<string, ExportReader>;
