import type { AdditionSource } from "@/server/core/domain";
import { audit } from "@/server/domains/accounts/audit/service/audit";

/** The permission, if it was granted or extended since a time. Its ID is that of the account. */
export const permissionAdditions: AdditionSource = {
  async find({ db }, userId, since) {
    const rows = await db.supportAccess.findMany({
      where: { userId, until: { gt: new Date() }, changedAt: { gte: since } },
      select: { changedAt: true },
    });
    return rows.map(({ changedAt }) => ({ id: userId, name: "", at: changedAt }));
  },
  async revoke(tx, userId) {
    await tx.db.supportAccess.deleteMany({ where: { userId } });
    await tx.db.viewAs.updateMany({
      where: { targetId: userId, endedAt: null, expiresAt: { gt: new Date() } },
      data: { endedAt: new Date() },
    });
    await audit(tx, {
      action: "support_access.revoked",
      object: { type: "User", id: userId },
      actorId: userId,
    });
  },
};
