import type { ExportReader } from "@/server/core/domain";

export const archiveReaders = {
  passkeys: (db, userId) =>
    db.passkey.findMany({
      where: { userId },
      orderBy: { createdAt: "asc" },
      select: {
        deviceName: true,
        aaguid: true,
        transports: true,
        backedUp: true,
        createdAt: true,
        lastUsedAt: true,
      },
    }),
} as const satisfies Record<string, ExportReader>;
