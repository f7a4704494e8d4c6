import type { DbAccess } from "@/server/infrastructure/database/transaction";
import type { AuditBreakReason } from "../contract";

export interface LastCheck {
  at: Date;
  entries: number;
  erased: number;
  broken: { reason: AuditBreakReason; id: number } | null;
}

export async function findLastCheck({ db }: Pick<DbAccess, "db">): Promise<LastCheck | undefined> {
  const row = await db.auditEvent.findFirst({
    where: { action: "audit.checked" },
    orderBy: { id: "desc" },
    select: { at: true, details: true },
  });
  if (!row) return undefined;
  const result = row.details as {
    entries: number;
    erased: number;
    broken: AuditBreakReason | null;
    at: number;
  };
  const broken = result.broken && { reason: result.broken, id: result.at };
  return { at: row.at, entries: result.entries, erased: result.erased, broken };
}
