import { columnToDay } from "@/server/core/calendar";
import type { ExportReader } from "@/server/core/domain";
import { toAmount } from "@/server/core/money";
import { unseal } from "@/server/infrastructure/secrets/seal";
import { BILL_TO_SEAL_PURPOSE } from "./service/record-payment";

export const archiveReaders = {
  // Without notes and reasons of reversals: administrators write them for each other.
  payments: async (db, userId) => {
    const rows = await db.payment.findMany({
      where: { userId },
      orderBy: { id: "asc" },
      include: { document: { select: { state: true } } },
    });
    return rows.map((row) => ({
      id: row.id,
      method: row.method,
      state: row.state,
      amount: toAmount(row.amountMinor),
      currency: row.currency,
      paidAt: columnToDay(row.paidAt),
      bankReference: row.bankReference,
      subscriptionId: row.subscriptionId,
      licenceId: row.licenceId,
      billTo: unseal(row.billToSealed, BILL_TO_SEAL_PURPOSE),
      invoice: row.document?.state ?? null,
      reversedAt: row.reversedAt,
      createdAt: row.createdAt,
    }));
  },

  referral_earnings: async (db, resellerId) => {
    const rows = await db.referralEarning.findMany({
      where: { resellerId },
      orderBy: { id: "asc" },
      select: {
        amountMinor: true,
        ratePercent: true,
        state: true,
        createdAt: true,
        payment: { select: { currency: true } },
      },
    });
    return rows.map(({ amountMinor, payment, ...row }) => ({
      ...row,
      amount: toAmount(amountMinor),
      currency: payment.currency,
    }));
  },
} as const satisfies Record<string, ExportReader>;
