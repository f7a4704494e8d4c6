import { createError } from "@/server/core/errors";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { lockAdministratorChanges, lockUserRow, takeAdvisoryLock } from "../statements";

/** Locks an account; read it afterwards. Throws `unauthenticated` if it is gone. */
export async function lockUser(tx: Pick<DbAccess, "sql">, userId: number): Promise<void> {
  if (!(await lockUserIfExists(tx, userId))) throw createError("unauthenticated");
}

/** Like {@link lockUser}, but returns false if the account is gone. */
export async function lockUserIfExists(tx: Pick<DbAccess, "sql">, userId: number): Promise<boolean> {
  return (await lockUserRow(tx, { userId })).length > 0;
}

/** Serialises claims of an email address until the transaction ends. Lock order: before any account. */
export const lockEmailAddress = (tx: Pick<DbAccess, "sql">, emailKey: string) =>
  acquireNamedLock(tx, `address:${emailKey}`);

export async function acquireNamedLock(tx: Pick<DbAccess, "sql">, name: string): Promise<void> {
  await takeAdvisoryLock(tx, { name });
}

/** Serialises changes to administrators: at least one always remains. Lock order: before any account. */
export async function lockAdministrators(tx: Pick<DbAccess, "sql">): Promise<void> {
  await lockAdministratorChanges(tx);
}
