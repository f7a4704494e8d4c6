import { DAY, fromNow } from "@/server/core/time";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";

/** Deletes keys that ended more than 30 days ago. */
export async function deleteExpiredKeysJob(): Promise<void> {
  await withoutTransaction().db.externalKey.deleteMany({ where: { validUntil: { lt: fromNow(-30 * DAY) } } });
}
