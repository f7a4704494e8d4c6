import { DAY, fromNow } from "@/server/core/time";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { REFUSAL_RETENTION_DAYS } from "./policy";

export async function deleteOldRefusalsJob(): Promise<void> {
  await withoutTransaction().db.signUpRefusal.deleteMany({
    where: { at: { lt: fromNow(-REFUSAL_RETENTION_DAYS * DAY) } },
  });
}
