import { createError } from "@/server/core/errors";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { lockAdministratorChanges, lockByName, lockUserRow } from "../statements";

/** Locks an account; read it afterwards. Throws `unauthenticated` if it is gone. */
export async function lockUser(tx: Pick<DbAccess, "sql">, userId: number): Promise<void> {
  if (!(await lockUserIfExists(tx, userId))) throw createError("unauthenticated");
}

/** Like {@link lockUser}, but returns false if the account is gone. */
export async function lockUserIfExists(tx: Pick<DbAccess, "sql">, userId: number): Promise<boolean> {
  return (await lockUserRow(tx, { userId })).length > 0;
}

/** Serialises verifications of an address until the transaction ends. Lock order: before any account. */
export const lockAddress = (tx: Pick<DbAccess, "sql">, emailKey: string) =>
  lockName(tx, `address:${emailKey}`);

export async function lockName(tx: Pick<DbAccess, "sql">, name: string): Promise<void> {
  await lockByName(tx, { name });
}

/** Serialises changes of administrators, so that one always remains. Lock order: before any account. */
export async function lockAdministrators(tx: Pick<DbAccess, "sql">): Promise<void> {
  await lockAdministratorChanges(tx);
}
