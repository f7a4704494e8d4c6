import type { Reader } from "@/server/core/domain";

export const exports = {
  // Who asked for it and why is in the log of the administrators.
  factor_resets: (db, userId) =>
    db.adminAction.findMany({
      where: { targetId: userId },
      orderBy: { createdAt: "asc" },
      select: { kind: true, factors: true, state: true, runAt: true, createdAt: true, endedAt: true },
    }),
} as const satisfies Record<string, Reader>;
