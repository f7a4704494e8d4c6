import type * as z from "zod";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { type BalanceChange, changeBalance } from "../statements";

/** Credits of a new account (docs/contract.md 8). */
export const WELCOME_CREDITS = 1000;

/** Adds a ledger entry and updates the balance; undefined if the balance would be out of range. */
export async function addCredits(
  access: Pick<DbAccess, "sql">,
  change: BalanceChange,
): Promise<z.output<typeof changeBalance.row> | undefined> {
  const [entry] = await changeBalance(access, change);
  return entry;
}
