import { undoable } from "@/server/domains/accounts/users/service/find";
import type { Work } from "@/server/infrastructure/database/transaction";

/**
 * The verified address before changes that can still be undone. Its reader is the owner; the reader of the
 * new address may be an intruder.
 */
export async function reservedAddress({ db }: Pick<Work, "db">, userId: number): Promise<string | null> {
  const change = await db.emailChange.findFirst({
    where: { userId, oldVerified: { not: null }, ...undoable() },
    orderBy: { id: "asc" },
    select: { oldEmail: true },
  });
  return change?.oldEmail ?? null;
}
