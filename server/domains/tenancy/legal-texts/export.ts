import type { ExportReader } from "@/server/core/domain";

export const archiveReaders = {
  agreement_signatures: (db, resellerId) =>
    db.agreementSignature.findMany({
      where: { resellerId },
      orderBy: { id: "asc" },
      select: { version: true, locale: true, typedName: true, ip: true, userAgent: true, signedAt: true },
    }),
} as const satisfies Record<string, ExportReader>;
