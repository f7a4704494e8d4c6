import { DAY, fromNow } from "@/server/core/time";
import { outside } from "@/server/infrastructure/database/transaction";

export async function forgetInvitationsJob(): Promise<void> {
  await outside().db.customerInvitation.deleteMany({ where: { expiresAt: { lt: fromNow(-30 * DAY) } } });
}
