import { refuse } from "@/server/core/errors";
import type { Work } from "@/server/infrastructure/database/transaction";
import { lockHash, lockRole, lockRow } from "../statements";

/** Locks an account; read it afterwards. Throws `unauthenticated` if it is gone. */
export async function lockUser(tx: Pick<Work, "sql">, userId: number): Promise<void> {
  if (!(await lockUserIfAny(tx, userId))) throw refuse("unauthenticated");
}

/** Like {@link lockUser}, but returns false if the account is gone. */
export async function lockUserIfAny(tx: Pick<Work, "sql">, userId: number): Promise<boolean> {
  return (await lockRow(tx, { userId })).length > 0;
}

/** Serialises verifications of an address until the transaction ends. Lock order: before any account. */
export const lockAddress = (tx: Pick<Work, "sql">, emailKey: string) => lockName(tx, `address:${emailKey}`);

export async function lockName(tx: Pick<Work, "sql">, name: string): Promise<void> {
  await lockHash(tx, { name });
}

/** Serialises changes of administrators, so that one always remains. Lock order: before any account. */
export async function lockAdministrators(tx: Pick<Work, "sql">): Promise<void> {
  await lockRole(tx);
}
