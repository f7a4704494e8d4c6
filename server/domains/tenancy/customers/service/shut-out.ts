import type { Context } from "@/server/core/context";
import { endReset } from "@/server/domains/access/sign-in/service/forgot";
import { revokeAll } from "@/server/domains/access/tokens/service/tokens";

/** Ends what a deactivated account could still be entered with, and the invitations that it sent. */
export async function shutOut(tx: Context, userId: number): Promise<void> {
  await revokeAll(tx, userId);
  await endReset(tx, userId);
  await tx.db.invitation.deleteMany({ where: { inviterId: userId, acceptedAt: null } });
}
