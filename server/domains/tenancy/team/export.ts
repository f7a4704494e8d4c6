import type { ExportReader } from "@/server/core/domain";

export const archiveReaders = {
  team: (db, userId) =>
    db.user.findMany({
      where: { parentUserId: userId, anonymisedAt: null },
      orderBy: { id: "asc" },
      select: {
        id: true,
        name: true,
        email: true,
        isActive: true,
        isAgentOnly: true,
        assignedSiteId: true,
        allowedModules: true,
        createdAt: true,
      },
    }),

  invitations: (db, userId) =>
    db.invitation.findMany({
      where: { inviterId: userId },
      orderBy: { id: "asc" },
      select: {
        name: true,
        email: true,
        siteId: true,
        allowedModules: true,
        createdAt: true,
        expiresAt: true,
        acceptedAt: true,
      },
    }),
} as const satisfies Record<string, ExportReader>;
