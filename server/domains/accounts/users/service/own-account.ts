import type { Context, UserActor } from "@/server/core/context";
import { createError } from "@/server/core/errors";
import { withTransaction } from "@/server/infrastructure/database/transaction";
import { lockCaller } from "../statements";
import { lockUser, lockUserIfExists } from "./lock";

/** Locks account and token. A revoked token throws `unauthenticated`; a concurrent revocation waits. */
export function withLockedOwnAccount<T>(
  ctx: Context<UserActor>,
  work: (tx: Context<UserActor>) => Promise<T>,
): Promise<T> {
  return withTransaction(ctx, async (tx) => {
    await lockOwnAccount(tx);
    return work(tx);
  });
}

/** Locks like {@link withLockedOwnAccount}, for a transaction that must lock something else first. */
export async function lockOwnAccount(tx: Context<UserActor>): Promise<void> {
  const { id, token } = tx.actor;
  const [lockedRow] = await lockCaller(tx, { userId: id, tokenId: token.id });
  if (!lockedRow) throw createError("unauthenticated");
}

/** Locks the caller's account and another one by ID order. Throws `unauthenticated` if one is gone. */
export async function lockCallerAndAccount(tx: Context<UserActor>, otherId: number): Promise<void> {
  if (otherId < tx.actor.id) await lockUser(tx, otherId);
  await lockOwnAccount(tx);
  if (otherId > tx.actor.id) await lockUser(tx, otherId);
}

/** Locks the caller's account and others in the order of IDs. Ignores others that are gone. */
export async function lockCallerAndAccounts(
  tx: Context<UserActor>,
  otherIds: readonly number[],
): Promise<void> {
  const ownId = tx.actor.id;
  for (const id of [...new Set([...otherIds, ownId])].sort((a, b) => a - b)) {
    if (id === ownId) await lockOwnAccount(tx);
    else await lockUserIfExists(tx, id);
  }
}
