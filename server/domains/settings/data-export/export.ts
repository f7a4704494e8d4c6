import type { ExportReader } from "@/server/core/domain";

export const archiveReaders = {
  exports: (db, userId) =>
    db.dataExport.findMany({
      where: { userId },
      orderBy: { createdAt: "asc" },
      select: { id: true, state: true, size: true, createdAt: true, readyAt: true, expiresAt: true },
    }),
} as const satisfies Record<string, ExportReader>;
