import { DAY, fromNow } from "@/server/core/time";
import { outside } from "@/server/infrastructure/database/transaction";
import { KEPT_DAYS } from "./service";

export async function forgetKeyUseJob(): Promise<void> {
  await outside().db.keyUse.deleteMany({ where: { day: { lt: fromNow(-KEPT_DAYS * DAY) } } });
}
