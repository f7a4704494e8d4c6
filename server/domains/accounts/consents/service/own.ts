import { ownSince } from "@/server/domains/accounts/audit/service/own";
import type { Work } from "@/server/infrastructure/database/transaction";

/** Where a row of the ledger came from. */
interface Origin {
  createdAt: Date;
  ip: string | null;
  userAgent?: string | null;
}

/**
 * Returns what an account sees of a row: not the address and browser of who had the account before. The ledger itself
 * keeps them.
 */
export async function asOwn(
  work: Pick<Work, "db">,
  userId: number,
): Promise<<R extends Origin>(row: R) => R> {
  const since = await ownSince(work, userId);
  return (row) => (since && row.createdAt < since.at ? { ...row, ip: null, userAgent: null } : row);
}
