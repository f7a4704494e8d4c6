import type { Work } from "@/server/infrastructure/database/transaction";
import type { AuditBreak } from "./check";

export interface LastCheck {
  at: Date;
  entries: number;
  erased: number;
  broken: { reason: AuditBreak; id: number } | null;
}

/** What the last walk over the log found; undefined before the first. */
export async function lastCheck({ db }: Pick<Work, "db">): Promise<LastCheck | undefined> {
  const row = await db.auditEvent.findFirst({
    where: { action: "audit.checked" },
    orderBy: { id: "desc" },
    select: { at: true, details: true },
  });
  if (!row) return undefined;
  const said = row.details as { entries: number; erased: number; broken: AuditBreak | null; at: number };
  const broken = said.broken && { reason: said.broken, id: said.at };
  return { at: row.at, entries: said.entries, erased: said.erased, broken };
}
