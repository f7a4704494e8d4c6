import { refuse } from "@/server/core/errors";
import type { Work } from "@/server/infrastructure/database/transaction";
import { lockHash, lockRole, lockRow } from "../statements";

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
 * Makes everybody who proves an address wait for one another until the transaction ends: the first has it, and accounts
 * that wait for it lose it. Lock this before any account.
 */
export const lockAddress = (tx: Pick<Work, "sql">, emailKey: string) => lockName(tx, `address:${emailKey}`);

/** Locks a name for which there is no row yet. */
export async function lockName(tx: Pick<Work, "sql">, name: string): Promise<void> {
  await lockHash(tx, { name });
}

/**
 * Makes changes of who is an administrator wait for one another until the transaction ends, so that one always
 * remains. Lock this first, and accounts after it.
 */
export async function lockAdministrators(tx: Pick<Work, "sql">): Promise<void> {
  await lockRole(tx);
}
