import type { Work } from "@/server/infrastructure/database/transaction";

/**
 * Where an account's own history begins: with its newest take-over by whoever proved the address. What lies before is
 * somebody else's, and only administrators read it. Undefined: nobody took the account over, all of it is its own.
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
