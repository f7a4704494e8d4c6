import type { Reader } from "@/server/core/domain";

export const exports = {
  saved_views: (db, userId) =>
    db.savedView.findMany({
      where: { userId },
      orderBy: { id: "asc" },
      select: { id: true, list: true, name: true, query: true, createdAt: true },
    }),
} as const satisfies Record<string, Reader>;
