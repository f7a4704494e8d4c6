import { DAY, fromNow } from "@/server/core/time";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";

export async function deleteExpiredKeysJob(): Promise<void> {
  await withoutTransaction().db.externalKey.deleteMany({ where: { validUntil: { lt: fromNow(-30 * DAY) } } });
}
