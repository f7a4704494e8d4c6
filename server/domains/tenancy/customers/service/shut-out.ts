import type { Context } from "@/server/core/context";
import { endReset } from "@/server/domains/access/sign-in/service/forgot";
import { revokeAll } from "@/server/domains/access/tokens/service/tokens";

/** Revokes all access of a deactivated account and deletes the invitations it sent. */
export async function shutOut(tx: Context, userId: number): Promise<void> {
  await revokeAll(tx, userId);
  await endReset(tx, userId);
  await tx.db.invitation.deleteMany({ where: { inviterId: userId, acceptedAt: null } });
}
