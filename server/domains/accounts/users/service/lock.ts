import { refuse } from "@/server/core/errors";
import type { Work } from "@/server/infrastructure/database/transaction";
import { lockRow } from "../statements";

/**
 * Locks an account until the transaction ends: its changes come one after the other, each from what the one before it
 * has left. Read the account after it. Throws `unauthenticated` when the account is gone.
 */
export async function lockUser(tx: Pick<Work, "sql">, userId: number): Promise<void> {
  const [locked] = await lockRow(tx, { userId });
  if (!locked) throw refuse("unauthenticated");
}
