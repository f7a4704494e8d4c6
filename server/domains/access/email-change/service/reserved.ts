import type { Work } from "@/server/infrastructure/database/transaction";

/**
 * The proven address that an account had before its last changes, while they can be undone from there; null when none can.
 * Whoever reads its mail is the owner, whoever reads the new one may be an intruder.
 */
export async function reservedAddress({ db }: Pick<Work, "db">, userId: number): Promise<string | null> {
  const change = await db.emailChange.findFirst({
    where: {
      userId,
      appliedAt: { not: null },
      undoneAt: null,
      oldVerified: { not: null },
      expiresAt: { gt: new Date() },
    },
    orderBy: { id: "asc" },
    select: { oldEmail: true },
  });
  return change?.oldEmail ?? null;
}
