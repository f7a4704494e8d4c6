import type { Context } from "@/server/core/context";
import { voidPasswordResetLink } from "@/server/domains/access/sign-in/service/request-reset";
import { revokeAllAccess } from "@/server/domains/access/tokens/service/tokens";

/** Revokes all access of a deactivated account and deletes its open invitations. */
export async function revokeAccessOfDeactivated(tx: Context, userId: number): Promise<void> {
  await revokeAllAccess(tx, userId);
  await voidPasswordResetLink(tx, userId);
  await tx.db.invitation.deleteMany({ where: { inviterId: userId, acceptedAt: null } });
}
