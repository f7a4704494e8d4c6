import { DAY, fromNow } from "@/server/core/time";
import { outside } from "@/server/infrastructure/database/transaction";

/** Forgets mails to addresses that belong to no account, after two days. */
export async function forgetMailsJob(): Promise<void> {
  await outside().db.mailMessage.deleteMany({
    where: { userId: null, createdAt: { lt: fromNow(-2 * DAY) } },
  });
}
