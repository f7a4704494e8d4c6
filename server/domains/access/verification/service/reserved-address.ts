import { undoableEmailChangeFilter } from "@/server/domains/accounts/users/service/find";
import type { DbAccess } from "@/server/infrastructure/database/transaction";

/** Returns the verified address before the changes that can still be undone: these may be an intruder's. */
export async function findReservedAddress(
  { db }: Pick<DbAccess, "db">,
  userId: number,
): Promise<string | null> {
  const change = await db.emailChange.findFirst({
    where: { userId, oldVerified: { not: null }, ...undoableEmailChangeFilter() },
    orderBy: { id: "asc" },
    select: { oldEmail: true },
  });
  return change?.oldEmail ?? null;
}
