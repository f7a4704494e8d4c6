import type { DbAccess } from "@/server/infrastructure/database/transaction";

/** Filters for the three ways an entry can concern an account. Each has its own index. */
export function buildOwnEntryFilters(userId: number) {
  return [{ actorId: userId }, { onBehalfOf: userId }, { objectType: "User", objectId: String(userId) }];
}

/**
 * Returns the latest entry at which the owner of the address claimed the account from an earlier holder;
 * undefined if none. Only administrators may read entries before it.
 */
export async function findHistoryStart(
  { db }: Pick<DbAccess, "db">,
  userId: number,
): Promise<{ id: bigint; at: Date } | undefined> {
  const entry = await db.auditEvent.findFirst({
    where: { objectType: "User", objectId: String(userId), action: "account.claimed" },
    orderBy: { id: "desc" },
    select: { id: true, at: true },
  });
  return entry ?? undefined;
}
