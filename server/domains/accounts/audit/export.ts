import type { ExportReader } from "@/server/core/domain";
import { buildOwnEntryFilters, findHistoryStart } from "./service/history";

export const archiveReaders = {
  sign_ins: async (db, actorId) => {
    const historyStart = await findHistoryStart({ db }, actorId);
    const rows = await db.auditEvent.findMany({
      // Prisma does not escape the underscore, which matches any character.
      where: { actorId, id: { gte: historyStart?.id }, action: { startsWith: "sign\\_in." } },
      orderBy: { id: "asc" },
      select: { at: true, action: true, details: true, ip: true, userAgent: true },
    });
    return rows.map(({ at, action, details, ...row }) => {
      const { way = null, gate = null } = (details ?? {}) as { way?: string; gate?: string };
      return { at, outcome: action.slice("sign_in.".length), way, gate, ...row };
    });
  },

  activity: async (db, userId) => {
    const historyStart = await findHistoryStart({ db }, userId);
    const rows = await db.auditEvent.findMany({
      where: { id: { gte: historyStart?.id }, OR: buildOwnEntryFilters(userId) },
      orderBy: { id: "asc" },
      select: {
        at: true,
        action: true,
        objectType: true,
        objectId: true,
        actorId: true,
        details: true,
        before: true,
        after: true,
        ip: true,
        userAgent: true,
      },
    });
    return rows.map(({ actorId, details, before, after, ip, userAgent, ...row }) => {
      const isMine = actorId === userId;
      const redactedFields = { details: null, before: null, after: null, ip: null, userAgent: null };
      const byMe = actorId === null ? null : isMine;
      return { ...row, byMe, ...(isMine ? { details, before, after, ip, userAgent } : redactedFields) };
    });
  },
} as const satisfies Record<string, ExportReader>;
