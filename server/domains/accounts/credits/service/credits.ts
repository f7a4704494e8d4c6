import type * as z from "zod";
import type { Work } from "@/server/infrastructure/database/transaction";
import { type Movement, moveBalance } from "../statements";

/** Credits of a new account (docs/contract.md 8). */
export const WELCOME_CREDITS = 1000;

/**
 * Adds an entry to an account's ledger and moves its balance, in one statement: the balance is always the sum of the
 * entries. A spend that would go below zero, or a gift beyond what is stored, writes nothing and returns undefined.
 */
export async function addCredits(
  work: Pick<Work, "sql">,
  movement: Movement,
): Promise<z.output<typeof moveBalance.row> | undefined> {
  const [entry] = await moveBalance(work, movement);
  return entry;
}
