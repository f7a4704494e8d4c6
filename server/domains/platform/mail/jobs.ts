import { DAY, fromNow } from "@/server/core/time";
import { outside } from "@/server/infrastructure/database/transaction";
import { ERASED } from "@/server/infrastructure/mail/outbox";
import { settingNow } from "@/server/infrastructure/settings";

/** Days after which the text of a message is erased. */
const TEXT_DAYS = 7;

/** Erases the texts of mails and text messages, which carry links and codes; deletes the rest of them later. */
export async function forgetMessagesJob(): Promise<void> {
  const { db } = outside();
  const kept = await settingNow({ db }, "mail_retention_days");
  const done = (days: number) => ({
    state: { not: "queued" as const },
    createdAt: { lt: fromNow(-days * DAY) },
  });
  await db.mailMessage.deleteMany({ where: done(kept) });
  await db.smsMessage.deleteMany({ where: done(kept) });
  const texts = { where: { ...done(TEXT_DAYS), sealed: { not: ERASED } }, data: { sealed: ERASED } };
  await db.mailMessage.updateMany(texts);
  await db.smsMessage.updateMany(texts);
}

/** Deletes mails to addresses without an account, after two days. */
export async function forgetMailsJob(): Promise<void> {
  await outside().db.mailMessage.deleteMany({
    where: { userId: null, createdAt: { lt: fromNow(-2 * DAY) } },
  });
}
