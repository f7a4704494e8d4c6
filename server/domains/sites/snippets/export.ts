import type { ExportReader } from "@/server/core/domain";

export const archiveReaders = {
  snippets: (db, userId) =>
    db.snippet.findMany({
      where: { userId },
      orderBy: { id: "asc" },
      select: {
        id: true,
        title: true,
        shortcut: true,
        body: true,
        mediaFileId: true,
        createdAt: true,
        updatedAt: true,
      },
    }),
} as const satisfies Record<string, ExportReader>;
