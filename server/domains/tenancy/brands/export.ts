import type { ExportReader } from "@/server/core/domain";

export const archiveReaders = {
  brand: (db, userId) =>
    db.brand.findMany({
      where: { userId },
      select: {
        productName: true,
        color: true,
        logoPath: true,
        logoDarkPath: true,
        iconPath: true,
        supportEmail: true,
        supportPhone: true,
        updatedAt: true,
      },
    }),
} as const satisfies Record<string, ExportReader>;
