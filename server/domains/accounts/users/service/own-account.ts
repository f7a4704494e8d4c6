import type { Context, UserActor } from "@/server/core/context";
import { refuse } from "@/server/core/errors";
import { withTransaction } from "@/server/infrastructure/database/transaction";
import { lockCaller } from "../statements";
import { lockUser, lockUserIfAny } from "./lock";

/**
 * A transaction that changes how the caller's account is entered or reached. The account is locked, and the token is
 * read again and kept until the end: a revocation that was acknowledged before stops it, and one that comes meanwhile
 * waits and sees what it did. Throws `unauthenticated`.
 */
export function withOwnAccount<T>(
  ctx: Context<UserActor>,
  work: (tx: Context<UserActor>) => Promise<T>,
): Promise<T> {
  return withTransaction(ctx, async (tx) => {
    await lockOwnAccount(tx);
    return work(tx);
  });
}

/** The same for a transaction that must lock something else first. */
export async function lockOwnAccount(tx: Context<UserActor>): Promise<void> {
  const { id, token } = tx.actor;
  const [locked] = await lockCaller(tx, { userId: id, tokenId: token.id });
  if (!locked) throw refuse("unauthenticated");
}

/**
 * Locks the caller's account and another one, in the order of their numbers: two who change something of each other do
 * not wait in a circle. Throws `unauthenticated`, also when the other account is gone.
 */
export async function lockOwnAccountAnd(tx: Context<UserActor>, otherId: number): Promise<void> {
  if (otherId < tx.actor.id) await lockUser(tx, otherId);
  await lockOwnAccount(tx);
  if (otherId > tx.actor.id) await lockUser(tx, otherId);
}

/** The same with any number of others; those that are gone are left out. Throws `unauthenticated` for the caller alone. */
export async function lockOwnAccountAmong(tx: Context<UserActor>, others: readonly number[]): Promise<void> {
  const own = tx.actor.id;
  for (const id of [...new Set([...others, own])].sort((a, b) => a - b)) {
    if (id === own) await lockOwnAccount(tx);
    else await lockUserIfAny(tx, id);
  }
}
