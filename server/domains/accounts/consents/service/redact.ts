import { findHistoryStart } from "@/server/domains/accounts/audit/service/history";
import type { DbAccess } from "@/server/infrastructure/database/transaction";

interface Origin {
  createdAt: Date;
  ip: string | null;
  userAgent?: string | null;
}

/** Returns a function that removes IP address and browser from rows of an earlier owner. */
export async function buildPreviousOwnerRedactor(
  access: Pick<DbAccess, "db">,
  userId: number,
): Promise<<R extends Origin>(row: R) => R> {
  const historyStart = await findHistoryStart(access, userId);
  return (row) =>
    historyStart && row.createdAt < historyStart.at ? { ...row, ip: null, userAgent: null } : row;
}
