import { DAY, fromNow } from "@/server/core/time";
import { outside } from "@/server/infrastructure/database/transaction";

/** Deletes invitations that expired 30 days ago. */
export async function forgetInvitationsJob(): Promise<void> {
  await outside().db.customerInvitation.deleteMany({ where: { expiresAt: { lt: fromNow(-30 * DAY) } } });
}
