import type { ExportReader } from "@/server/core/domain";

export const archiveReaders = {
  sites: (db, userId) =>
    db.site.findMany({
      where: { userId },
      orderBy: { id: "asc" },
      select: {
        id: true,
        name: true,
        domain: true,
        isActive: true,
        suspendedReason: true,
        suspendedAt: true,
        suspendedBy: true,
        lastSeenAt: true,
        lastSeenHost: true,
        subscriptionId: true,
        widgetColor: true,
        widgetPosition: true,
        welcomeMessage: true,
        botName: true,
        aiEnabled: true,
        similarityThreshold: true,
        systemPrompt: true,
        maxMessagesPerSession: true,
        faqsCount: true,
        apiKeyLastFour: true,
        aiProviderKeyLastFour: true,
        createdAt: true,
        updatedAt: true,
        deletedAt: true,
      },
    }),
} as const satisfies Record<string, ExportReader>;
