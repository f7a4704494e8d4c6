import type { ExportReader } from "@/server/core/domain";

export const archiveReaders = {
  identities: (db, userId) =>
    db.externalIdentity.findMany({
      where: { userId },
      orderBy: { id: "asc" },
      select: { provider: true, issuer: true, subject: true, email: true, createdAt: true, lastUsedAt: true },
    }),
} as const satisfies Record<string, ExportReader>;
