import type { ExportReader } from "@/server/core/domain";

export const archiveReaders = {
  key_use: async (db, userId) => {
    const rows = await db.keyUse.findMany({
      where: { OR: [{ token: { userId } }, { externalKey: { site: { userId } } }] },
      orderBy: { id: "asc" },
      select: {
        day: true,
        operation: true,
        address: true,
        calls: true,
        lastAt: true,
        token: { select: { name: true, lastFour: true } },
        externalKey: { select: { siteId: true, lastFour: true } },
      },
    });
    return rows.map(({ token, externalKey, ...row }) => ({
      key: token?.name ?? null,
      siteId: externalKey?.siteId ?? null,
      lastFour: (token ?? externalKey)!.lastFour,
      ...row,
    }));
  },
} as const satisfies Record<string, ExportReader>;
