import { DAY, fromNow } from "@/server/core/time";
import { outside } from "@/server/infrastructure/database/transaction";

export async function forgetExternalKeysJob(): Promise<void> {
  await outside().db.externalKey.deleteMany({ where: { validUntil: { lt: fromNow(-30 * DAY) } } });
}
