import { DAY, fromNow } from "@/server/core/time";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";

export async function deleteOldMailFailuresJob(): Promise<void> {
  await withoutTransaction().db.mailAccountFailure.deleteMany({ where: { at: { lt: fromNow(-DAY) } } });
}
