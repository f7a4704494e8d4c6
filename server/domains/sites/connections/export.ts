import type { ExportReader } from "@/server/core/domain";
import { HIDDEN_LABEL } from "./policy";

export const archiveReaders = {
  connections: async (db, userId) => {
    const rows = await db.connection.findMany({
      where: { userId },
      orderBy: { id: "asc" },
      select: {
        id: true,
        channel: true,
        connectionType: true,
        label: true,
        remoteKey: true,
        config: true,
        secretLastFour: true,
        isActive: true,
        health: true,
        lastOkAt: true,
        createdAt: true,
        sites: { select: { siteId: true }, orderBy: { siteId: "asc" } },
      },
    });
    return rows.map(({ sites, ...row }) => ({ ...row, siteIds: sites.map(({ siteId }) => siteId) }));
  },

  connection_cleanups: async (db, userId) => {
    const items = await db.cleanupItem.findMany({
      where: { OR: [{ ownerId: userId }, { run: { askedById: userId } }] },
      orderBy: { id: "asc" },
      select: {
        runId: true,
        ownerId: true,
        channel: true,
        connectionId: true,
        label: true,
        state: true,
        reason: true,
        tokenDead: true,
        createdAt: true,
        finishedAt: true,
      },
    });
    // Labels of other accounts' connections are not data of this account.
    return items.map(({ ownerId, label, connectionId, ...item }) => ({
      ...item,
      label: ownerId === userId ? label : HIDDEN_LABEL,
      connectionId: Number(connectionId),
    }));
  },
} as const satisfies Record<string, ExportReader>;
