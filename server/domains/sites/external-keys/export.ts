import type { ExportReader } from "@/server/core/domain";

export const archiveReaders = {
  site_keys: (db, userId) =>
    db.externalKey.findMany({
      where: { site: { userId } },
      orderBy: { id: "asc" },
      select: {
        siteId: true,
        lastFour: true,
        createdAt: true,
        lastUsedAt: true,
        lastUsedIp: true,
        validUntil: true,
      },
    }),
} as const satisfies Record<string, ExportReader>;
