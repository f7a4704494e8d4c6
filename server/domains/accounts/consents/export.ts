import type { Reader } from "@/server/core/domain";

export const exports = {
  consents: (db, userId) =>
    db.consentRecord.findMany({
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
    }),
} as const satisfies Record<string, Reader>;
