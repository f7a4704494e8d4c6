import type { ExportReader } from "@/server/core/domain";

export const archiveReaders = {
  saved_views: (db, userId) =>
    db.savedView.findMany({
      where: { userId },
      orderBy: { id: "asc" },
      select: { id: true, list: true, name: true, query: true, createdAt: true },
    }),
  menu_labels: async (db, id) => {
    const user = await db.user.findUnique({ where: { id }, select: { menuLabels: true } });
    const labels = Object.entries((user?.menuLabels ?? {}) as Record<string, string>);
    return labels.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, label]) => ({ key, label }));
  },
} as const satisfies Record<string, ExportReader>;
