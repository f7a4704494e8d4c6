import type { ExportReader } from "@/server/core/domain";

export const archiveReaders = {
  sessions_and_keys: (db, userId) =>
    db.accessToken.findMany({
      where: { userId },
      orderBy: { id: "asc" },
      select: {
        kind: true,
        name: true,
        lastFour: true,
        abilities: true,
        ip: true,
        userAgent: true,
        createdAt: true,
        lastUsedAt: true,
        expiresAt: true,
      },
    }),

  trusted_devices: (db, userId) =>
    db.trustedDevice.findMany({
      where: { userId },
      orderBy: { id: "asc" },
      select: { userAgent: true, ip: true, createdAt: true, lastUsedAt: true, expiresAt: true },
    }),
} as const satisfies Record<string, ExportReader>;
