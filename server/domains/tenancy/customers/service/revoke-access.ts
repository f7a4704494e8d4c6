import type { Context } from "@/server/core/context";
import { voidResetLink } from "@/server/domains/access/sign-in/service/request-reset";
import { revokeAllAccess } from "@/server/domains/access/tokens/service/tokens";

/** Revokes all access of a deactivated account and deletes the invitations it sent. */
export async function revokeAccountAccess(tx: Context, userId: number): Promise<void> {
  await revokeAllAccess(tx, userId);
  await voidResetLink(tx, userId);
  await tx.db.invitation.deleteMany({ where: { inviterId: userId, acceptedAt: null } });
}
