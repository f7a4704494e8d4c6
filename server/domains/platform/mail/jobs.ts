import { DAY, fromNow } from "@/server/core/time";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { ERASED_CONTENT } from "@/server/infrastructure/mail/outbox";
import { readSetting } from "@/server/infrastructure/settings";

const TEXT_RETENTION_DAYS = 7;

/** Erases texts with links and codes after a week, and deletes rows after `mail_retention_days`. */
export async function eraseMessagesJob(): Promise<void> {
  const { db } = withoutTransaction();
  const retentionDays = await readSetting({ db }, "mail_retention_days");
  const buildOlderThanFilter = (days: number) => ({
    state: { not: "queued" as const },
    createdAt: { lt: fromNow(-days * DAY) },
  });
  await db.mailMessage.deleteMany({ where: buildOlderThanFilter(retentionDays) });
  await db.smsMessage.deleteMany({ where: buildOlderThanFilter(retentionDays) });
  const textErasure = {
    where: { ...buildOlderThanFilter(TEXT_RETENTION_DAYS), sealed: { not: ERASED_CONTENT } },
    data: { sealed: ERASED_CONTENT },
  };
  await db.mailMessage.updateMany(textErasure);
  await db.smsMessage.updateMany(textErasure);
}

export async function deleteUnownedMailsJob(): Promise<void> {
  await withoutTransaction().db.mailMessage.deleteMany({
    where: { userId: null, createdAt: { lt: fromNow(-2 * DAY) } },
  });
}
