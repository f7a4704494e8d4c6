import { DAY, fromNow } from "@/server/core/time";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { RETENTION_DAYS } from "./service";

export async function deleteOldKeyUseJob(): Promise<void> {
  await withoutTransaction().db.keyUse.deleteMany({ where: { day: { lt: fromNow(-RETENTION_DAYS * DAY) } } });
}
