import { undoable } from "@/server/domains/accounts/users/service/find";
import type { Work } from "@/server/infrastructure/database/transaction";

/**
 * The proven address that an account had before its last changes, while they can be undone from there; null when none can.
 * Whoever reads its mail is the owner, whoever reads the new one may be an intruder.
 */
export async function reservedAddress({ db }: Pick<Work, "db">, userId: number): Promise<string | null> {
  const change = await db.emailChange.findFirst({
    where: { userId, oldVerified: { not: null }, ...undoable() },
    orderBy: { id: "asc" },
    select: { oldEmail: true },
  });
  return change?.oldEmail ?? null;
}
