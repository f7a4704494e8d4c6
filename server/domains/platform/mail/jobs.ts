import { DAY, fromNow } from "@/server/core/time";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { ERASED_CONTENT } from "@/server/infrastructure/mail/outbox";
import { readSetting } from "@/server/infrastructure/settings";

const TEXT_RETENTION_DAYS = 7;

/** Erases texts of messages after a week, because they contain links and codes; deletes the rows later. */
export async function eraseMessagesJob(): Promise<void> {
  const { db } = withoutTransaction();
  const retentionDays = await readSetting({ db }, "mail_retention_days");
  const olderThan = (days: number) => ({
    state: { not: "queued" as const },
    createdAt: { lt: fromNow(-days * DAY) },
  });
  await db.mailMessage.deleteMany({ where: olderThan(retentionDays) });
  await db.smsMessage.deleteMany({ where: olderThan(retentionDays) });
  const textErasure = {
    where: { ...olderThan(TEXT_RETENTION_DAYS), sealed: { not: ERASED_CONTENT } },
    data: { sealed: ERASED_CONTENT },
  };
  await db.mailMessage.updateMany(textErasure);
  await db.smsMessage.updateMany(textErasure);
}

/** Deletes mails without an account after two days. */
export async function deleteUnownedMailsJob(): Promise<void> {
  await withoutTransaction().db.mailMessage.deleteMany({
    where: { userId: null, createdAt: { lt: fromNow(-2 * DAY) } },
  });
}
