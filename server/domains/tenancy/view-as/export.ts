import type { ExportReader } from "@/server/core/domain";

export const archiveReaders = {
  // The viewer is another person: export only their role and reason.
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
    // The keys are the columns of the archive; a permission and a visit share them.
    const visits = views.map(({ id, actorId, actor, steps, ...row }) => ({
      ...row,
      allowedUntil: null,
      byMe: actorId === userId,
      role: actor?.role ?? null,
      seen:
        actorId === userId ? null : steps.map(({ operation, calls }) => `${operation} ${calls}`).join(", "),
    }));
    if (!access) return visits;
    const permissionRow = { reason: null, startedAt: null, expiresAt: null, endedAt: null };
    return [{ ...permissionRow, allowedUntil: access.until, byMe: true, role: null, seen: null }, ...visits];
  },
} as const satisfies Record<string, ExportReader>;
