import { DAY, fromNow } from "@/server/core/time";
import { outside } from "@/server/infrastructure/database/transaction";
import { KEPT_DAYS } from "./service";

/** Forgets figures once they are too old to be shown. */
export async function forgetKeyUseJob(): Promise<void> {
  await outside().db.keyUse.deleteMany({ where: { day: { lt: fromNow(-KEPT_DAYS * DAY) } } });
}
