import { refuse } from "@/server/core/errors";
import type { Work } from "@/server/infrastructure/database/transaction";
import { lockRole, lockRow } from "../statements";

/**
 * Locks an account until the transaction ends, so that its changes run one after the other. Read the account after
 * it. Throws `unauthenticated` when the account is gone.
 */
export async function lockUser(tx: Pick<Work, "sql">, userId: number): Promise<void> {
  if (!(await lockUserIfAny(tx, userId))) throw refuse("unauthenticated");
}

/** The same for jobs, which have nothing to do when the account is gone: false. */
export async function lockUserIfAny(tx: Pick<Work, "sql">, userId: number): Promise<boolean> {
  return (await lockRow(tx, { userId })).length > 0;
}

/**
 * Makes changes of who is an administrator wait for one another until the transaction ends, so that one always
 * remains. Lock this first, and accounts after it.
 */
export async function lockAdministrators(tx: Pick<Work, "sql">): Promise<void> {
  await lockRole(tx);
}
