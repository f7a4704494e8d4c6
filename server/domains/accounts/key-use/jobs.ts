import { DAY, fromNow } from "@/server/core/time";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { KEY_CALL_RETENTION_DAYS, KEY_USE_RETENTION_DAYS } from "./policy";

export async function deleteOldKeyUseJob(): Promise<void> {
  const { db } = withoutTransaction();
  await db.keyUse.deleteMany({ where: { day: { lt: fromNow(-KEY_USE_RETENTION_DAYS * DAY) } } });
  await db.keyCallStat.deleteMany({ where: { at: { lt: fromNow(-KEY_CALL_RETENTION_DAYS * DAY) } } });
}
