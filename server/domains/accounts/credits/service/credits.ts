import type * as z from "zod";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { type Movement, moveBalance } from "../statements";

/** Credits of a new account (docs/contract.md 8). */
export const WELCOME_CREDITS = 1000;

/** Adds a ledger entry and updates the balance; undefined if the balance would be out of range. */
export async function addCredits(
  work: Pick<DbAccess, "sql">,
  movement: Movement,
): Promise<z.output<typeof moveBalance.row> | undefined> {
  const [entry] = await moveBalance(work, movement);
  return entry;
}
