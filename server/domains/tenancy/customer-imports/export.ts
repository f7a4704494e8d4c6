import type { ExportReader } from "@/server/core/domain";

export const archiveReaders = {
  customer_imports: (db, resellerId) =>
    db.customerImport.findMany({
      where: { resellerId },
      orderBy: { id: "asc" },
      select: {
        fileName: true,
        state: true,
        total: true,
        done: true,
        rows: true,
        report: true,
        createdAt: true,
      },
    }),
} as const satisfies Record<string, ExportReader>;
