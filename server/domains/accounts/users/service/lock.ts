import { refuse } from "@/server/core/errors";
import type { Work } from "@/server/infrastructure/database/transaction";
import { lockRow } from "../statements";

/**
 * Locks an account until the transaction ends, so that its changes run one after the other. Read the account after
 * it. Throws `unauthenticated` when the account is gone.
 */
export async function lockUser(tx: Pick<Work, "sql">, userId: number): Promise<void> {
  const [locked] = await lockRow(tx, { userId });
  if (!locked) throw refuse("unauthenticated");
}
