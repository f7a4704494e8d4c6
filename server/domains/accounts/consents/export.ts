import type { ExportReader } from "@/server/core/domain";
import { buildPreviousOwnerRedactor } from "./service/redact";

export const archiveReaders = {
  consents: async (db, userId) => {
    const rows = await db.consentRecord.findMany({
      where: { userId },
      orderBy: { id: "asc" },
      select: {
        key: true,
        granted: true,
        textVersion: true,
        textHash: true,
        locale: true,
        ip: true,
        userAgent: true,
        source: true,
        prevHash: true,
        hash: true,
        createdAt: true,
      },
    });
    return rows.map(await buildPreviousOwnerRedactor({ db }, userId));
  },
} as const satisfies Record<string, ExportReader>;
