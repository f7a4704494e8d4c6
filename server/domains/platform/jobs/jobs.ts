import { DAY, fromNow } from "@/server/core/time";
import { outside } from "@/server/infrastructure/database/transaction";

/** Days for which it is known how jobs went. */
const KEPT = 30;

/** Deletes what is too old of how jobs went. */
export async function forgetJobHistoryJob(): Promise<void> {
  await outside().db.jobStat.deleteMany({ where: { hour: { lt: fromNow(-KEPT * DAY) } } });
}
