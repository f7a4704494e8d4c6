import { undoableChanges } from "@/server/domains/accounts/users/service/find";
import type { DbAccess } from "@/server/infrastructure/database/transaction";

/**
 * The verified address before changes that can still be undone. Its reader is the owner; the reader of the
 * new address may be an intruder.
 */
export async function reservedAddress({ db }: Pick<DbAccess, "db">, userId: number): Promise<string | null> {
  const change = await db.emailChange.findFirst({
    where: { userId, oldVerified: { not: null }, ...undoableChanges() },
    orderBy: { id: "asc" },
    select: { oldEmail: true },
  });
  return change?.oldEmail ?? null;
}
