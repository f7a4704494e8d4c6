import { DAY, fromNow } from "@/server/core/time";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { REQUEST_STATS_RETENTION_DAYS } from "./policy";

export async function deleteRequestStatsJob(): Promise<void> {
  await withoutTransaction().db.requestStat.deleteMany({
    where: { at: { lt: fromNow(-REQUEST_STATS_RETENTION_DAYS * DAY) } },
  });
}
