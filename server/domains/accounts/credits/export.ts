import { columnToDay } from "@/server/core/calendar";
import type { ExportReader } from "@/server/core/domain";

export const archiveReaders = {
  credits: (db, userId) =>
    db.creditEntry.findMany({
      where: { userId },
      orderBy: { id: "asc" },
      select: { amount: true, balance: true, reason: true, note: true, createdAt: true },
    }),

  usage: async (db, userId) => {
    const rows = await db.usageMonth.findMany({
      where: { userId },
      orderBy: { month: "asc" },
      select: { month: true, messagesSent: true, aiCalls: true, voiceMinutes: true, creditsUsed: true },
    });
    return rows.map((row) => ({ ...row, month: columnToDay(row.month) }));
  },
} as const satisfies Record<string, ExportReader>;
