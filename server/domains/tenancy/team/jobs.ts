import { DAY, fromNow } from "@/server/core/time";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";

export async function deleteOldInvitationsJob(): Promise<void> {
  await withoutTransaction().db.invitation.deleteMany({ where: { expiresAt: { lt: fromNow(-30 * DAY) } } });
}
