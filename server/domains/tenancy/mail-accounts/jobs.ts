import { DAY, fromNow } from "@/server/core/time";
import { outside } from "@/server/infrastructure/database/transaction";

export async function forgetMailFailuresJob(): Promise<void> {
  await outside().db.mailAccountFailure.deleteMany({ where: { at: { lt: fromNow(-DAY) } } });
}
