import type { AdditionSource } from "@/server/core/domain";
import { audit } from "@/server/domains/accounts/audit/service/audit";

/** Revoking a new connection switches it off. The owner can switch it on again or clean it up. */
export const connectionAdditions: AdditionSource = {
  async find({ db }, userId, since) {
    const rows = await db.connection.findMany({
      where: { userId, isActive: true, createdAt: { gte: since } },
      orderBy: { id: "desc" },
      select: { id: true, label: true, createdAt: true },
    });
    return rows.map(({ id, label, createdAt }) => ({ id, name: label, at: createdAt }));
  },
  async revoke(tx, userId, ids) {
    const rows = await tx.db.connection.updateManyAndReturn({
      where: { userId, id: { in: [...ids] } },
      data: { isActive: false },
      select: { id: true },
    });
    for (const { id } of rows)
      await audit(tx, {
        action: "connection.changed",
        object: { type: "Connection", id },
        actorId: userId,
        details: { fields: "is_active" },
      });
  },
};
