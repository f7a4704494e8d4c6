import type { AdditionSource } from "@/server/core/domain";
import { audit } from "@/server/domains/accounts/audit/service/audit";

export const customerInvitationAdditions: AdditionSource = {
  async find({ db }, userId, since) {
    const rows = await db.customerInvitation.findMany({
      where: { resellerId: userId, acceptedAt: null, createdAt: { gte: since } },
      orderBy: { id: "desc" },
      select: { id: true, email: true, createdAt: true },
    });
    return rows.map(({ id, email, createdAt }) => ({ id, name: email, at: createdAt }));
  },
  async revoke(tx, userId, ids) {
    await tx.db.customerInvitation.deleteMany({
      where: { resellerId: userId, acceptedAt: null, id: { in: [...ids] } },
    });
    for (const id of ids)
      await audit(tx, {
        action: "customer.invitation_cancelled",
        object: { type: "CustomerInvitation", id },
        actorId: userId,
      });
  },
};
