import type { DbAccess } from "@/server/infrastructure/database/transaction";

/** Filters for the three ways an entry can concern an account. Each has its own index. */
export function buildOwnEntryFilters(userId: number) {
  return [{ actorId: userId }, { onBehalfOf: userId }, { objectType: "User", objectId: String(userId) }];
}

/** Finds the latest claim from an earlier holder. Only administrators may read the entries before it. */
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
