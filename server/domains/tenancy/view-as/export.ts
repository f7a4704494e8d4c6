import type { ExportReader } from "@/server/core/domain";

export const archiveReaders = {
  // The viewer may be another person: export their role, not their identity.
  support_access: async (db, userId) => {
    const views = await db.viewAs.findMany({
      where: { OR: [{ targetId: userId }, { actorId: userId }] },
      orderBy: { id: "asc" },
      select: {
        id: true,
        actorId: true,
        reason: true,
        startedAt: true,
        expiresAt: true,
        endedAt: true,
        actor: { select: { role: true } },
        steps: { orderBy: { firstAt: "asc" }, select: { operation: true, calls: true } },
      },
    });
    const access = await db.supportAccess.findUnique({ where: { userId }, select: { until: true } });
    // The keys become columns of the file; rows of permissions and of impersonations have the same ones.
    const impersonationRows = views.map(({ id, actorId, actor, steps, ...row }) => ({
      ...row,
      allowedUntil: null,
      byMe: actorId === userId,
      role: actor?.role ?? null,
      seen:
        actorId === userId ? null : steps.map(({ operation, calls }) => `${operation} ${calls}`).join(", "),
    }));
    if (!access) return impersonationRows;
    const permissionRow = { reason: null, startedAt: null, expiresAt: null, endedAt: null };
    return [
      { ...permissionRow, allowedUntil: access.until, byMe: true, role: null, seen: null },
      ...impersonationRows,
    ];
  },
} as const satisfies Record<string, ExportReader>;
