import type { ExportReader } from "@/server/core/domain";

export const archiveReaders = {
  two_factor: async (db, userId) => {
    const factors = await db.factor.findMany({
      where: { userId },
      orderBy: { id: "asc" },
      select: { kind: true, createdAt: true, confirmedAt: true, lastUsedAt: true },
    });
    const codes = await db.recoveryCode.findMany({
      where: { userId },
      orderBy: { id: "asc" },
      select: { createdAt: true, usedAt: true },
    });
    const factorsAndCodes = [
      ...factors,
      ...codes.map(({ createdAt, usedAt }) => ({
        kind: "recovery_code",
        createdAt,
        confirmedAt: null,
        lastUsedAt: usedAt,
      })),
    ];
    return factorsAndCodes.sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime());
  },
} as const satisfies Record<string, ExportReader>;
