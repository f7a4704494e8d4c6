import { findHistoryStart } from "@/server/domains/accounts/audit/service/history";
import type { DbAccess } from "@/server/infrastructure/database/transaction";

interface Origin {
  createdAt: Date;
  ip: string | null;
  userAgent?: string | null;
}

/** Returns a function that redacts IP address and browser of an earlier holder of the account. */
export async function redactPreviousOwner(
  work: Pick<DbAccess, "db">,
  userId: number,
): Promise<<R extends Origin>(row: R) => R> {
  const since = await findHistoryStart(work, userId);
  return (row) => (since && row.createdAt < since.at ? { ...row, ip: null, userAgent: null } : row);
}
