import { DAY, fromNow } from "@/server/core/time";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";

export async function deleteOldInvitationsJob(): Promise<void> {
  await withoutTransaction().db.customerInvitation.deleteMany({
    where: { expiresAt: { lt: fromNow(-30 * DAY) } },
  });
}
