import { DAY, fromNow } from "@/server/core/time";
import { outside } from "@/server/infrastructure/database/transaction";

/** Deletes what is older than the day that failures are shown for. */
export async function forgetMailFailuresJob(): Promise<void> {
  await outside().db.mailAccountFailure.deleteMany({ where: { at: { lt: fromNow(-DAY) } } });
}
