import type { Work } from "@/server/infrastructure/database/transaction";

/** The three ways in which an entry belongs to an account; each has an index. */
export function ownEntries(userId: number) {
  return [{ actorId: userId }, { onBehalfOf: userId }, { objectType: "User", objectId: String(userId) }];
}

/**
 * Returns the entry with which an account's own history begins: its newest takeover by the owner of the address. Only
 * administrators read what is before it. Undefined when the whole history is the account's own.
 */
export async function ownSince(
  { db }: Pick<Work, "db">,
  userId: number,
): Promise<{ id: bigint; at: Date } | undefined> {
  const entry = await db.auditEvent.findFirst({
    where: { objectType: "User", objectId: String(userId), action: "account.claimed" },
    orderBy: { id: "desc" },
    select: { id: true, at: true },
  });
  return entry ?? undefined;
}
