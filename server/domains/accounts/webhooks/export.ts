import type { ExportReader } from "@/server/core/domain";

export const archiveReaders = {
  webhooks: (db, userId) =>
    db.webhookEndpoint.findMany({
      where: { userId },
      orderBy: { id: "asc" },
      select: {
        id: true,
        url: true,
        events: true,
        description: true,
        secretLastFour: true,
        disabledReason: true,
        failures: true,
        failingSince: true,
        lastOkAt: true,
        createdAt: true,
      },
    }),
} as const satisfies Record<string, ExportReader>;
