import type { ExportReader } from "@/server/core/domain";

export const archiveReaders = {
  licences: (db, userId) =>
    db.siteLicence.findMany({
      where: { userId },
      orderBy: { id: "asc" },
      select: {
        id: true,
        siteId: true,
        status: true,
        priceTry: true,
        periodStart: true,
        periodEnd: true,
        payBy: true,
        paidAt: true,
        reference: true,
        domains: true,
        closedReason: true,
        absorbedById: true,
        createdAt: true,
      },
    }),
} as const satisfies Record<string, ExportReader>;
