import { DAY, fromNow } from "@/server/core/time";
import { outside } from "@/server/infrastructure/database/transaction";

/** Deletes mails to addresses without an account, after two days. */
export async function forgetMailsJob(): Promise<void> {
  await outside().db.mailMessage.deleteMany({
    where: { userId: null, createdAt: { lt: fromNow(-2 * DAY) } },
  });
}
