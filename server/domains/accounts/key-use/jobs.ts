import { DAY, fromNow } from "@/server/core/time";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { KEY_USE_RETENTION_DAYS } from "./service";

export async function deleteOldKeyUseJob(): Promise<void> {
  await withoutTransaction().db.keyUse.deleteMany({
    where: { day: { lt: fromNow(-KEY_USE_RETENTION_DAYS * DAY) } },
  });
}
