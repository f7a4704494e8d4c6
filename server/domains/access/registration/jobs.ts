import { DAY, fromNow } from "@/server/core/time";
import { outside } from "@/server/infrastructure/database/transaction";
import { REFUSAL_DAYS } from "./policy";

export async function forgetRefusalsJob(): Promise<void> {
  await outside().db.signUpRefusal.deleteMany({ where: { at: { lt: fromNow(-REFUSAL_DAYS * DAY) } } });
}
