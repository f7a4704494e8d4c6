import type { ExportReader } from "@/server/core/domain";

export const archiveReaders = {
  mail_accounts: (db, userId) =>
    db.mailAccount.findMany({
      where: { OR: [{ userId }, { site: { userId } }] },
      orderBy: { id: "asc" },
      select: {
        siteId: true,
        fromName: true,
        fromAddress: true,
        host: true,
        port: true,
        secure: true,
        username: true,
        verifiedAt: true,
        createdAt: true,
        updatedAt: true,
      },
    }),
} as const satisfies Record<string, ExportReader>;
