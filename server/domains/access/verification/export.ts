import type { ExportReader } from "@/server/core/domain";

export const archiveReaders = {
  address_changes: (db, userId) =>
    db.emailChange.findMany({
      where: { userId },
      orderBy: { id: "asc" },
      select: {
        oldEmail: true,
        newEmail: true,
        appliedAt: true,
        undoneAt: true,
        createdAt: true,
        expiresAt: true,
      },
    }),
} as const satisfies Record<string, ExportReader>;
