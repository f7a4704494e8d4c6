import type { AdditionSource } from "@/server/core/domain";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { updateUser } from "@/server/domains/accounts/users/service/change";
import { revokeAccessOfDeactivated } from "@/server/domains/tenancy/customers/service/revoke-access";

export const invitationAdditions: AdditionSource = {
  async find({ db }, userId, since) {
    const rows = await db.invitation.findMany({
      where: { inviterId: userId, acceptedAt: null, createdAt: { gte: since } },
      orderBy: { id: "desc" },
      select: { id: true, email: true, createdAt: true },
    });
    return rows.map(({ id, email, createdAt }) => ({ id, name: email, at: createdAt }));
  },
  async revoke(tx, userId, ids) {
    await tx.db.invitation.deleteMany({
      where: { inviterId: userId, acceptedAt: null, id: { in: [...ids] } },
    });
    for (const id of ids)
      await audit(tx, {
        action: "team.invitation_cancelled",
        object: { type: "Invitation", id },
        actorId: userId,
      });
  },
};

/** Members who joined since a time. Most are legitimate, so the owner selects those to deactivate. */
export const memberAdditions: AdditionSource = {
  requiresSelection: true,
  async find({ db }, userId, since) {
    const rows = await db.user.findMany({
      where: { parentUserId: userId, isActive: true, anonymisedAt: null, createdAt: { gte: since } },
      orderBy: { id: "desc" },
      select: { id: true, name: true, email: true, createdAt: true },
    });
    return rows.map(({ id, name, email, createdAt }) => ({ id, name: `${name}, ${email}`, at: createdAt }));
  },
  async revoke(tx, userId, ids) {
    const { role } = await tx.db.user.findUniqueOrThrow({ where: { id: userId }, select: { role: true } });
    for (const id of ids) {
      await updateUser(tx, { id }, { isActive: false, deactivatedBy: role });
      await revokeAccessOfDeactivated(tx, id);
      await audit(tx, {
        action: "team.member_deactivated",
        object: { type: "User", id },
        actorId: userId,
      });
    }
  },
};
