import type { ExportReader } from "@/server/core/domain";

export const archiveReaders = {
  // Requester and reason are in the audit log only.
  factor_resets: (db, userId) =>
    db.adminAction.findMany({
      where: { targetId: userId },
      orderBy: { createdAt: "asc" },
      select: { kind: true, factors: true, state: true, runAt: true, createdAt: true, endedAt: true },
    }),
} as const satisfies Record<string, ExportReader>;
