import type { FailedWork } from "@/server/core/domain";
import { DAY, fromNow } from "@/server/core/time";
import { addJob } from "@/server/infrastructure/jobs/queue";
import { ERASED_CONTENT } from "@/server/infrastructure/mail/outbox";

const FAILED_MESSAGE = { state: "failed" } as const;
/** A mail can be retried until its text is erased after a week. */
const FAILED_MAIL_WITH_TEXT = { ...FAILED_MESSAGE, sealed: { not: ERASED_CONTENT } };

export const failedMails: FailedWork = {
  page: "/admin/mails?state=failed",
  async inspect({ db }) {
    const { _count, _min } = await db.mailMessage.aggregate({
      where: FAILED_MAIL_WITH_TEXT,
      _count: true,
      _min: { createdAt: true },
    });
    const lastFailure = await db.mailMessage.findFirst({
      where: FAILED_MAIL_WITH_TEXT,
      orderBy: { id: "desc" },
      select: { error: true },
    });
    return { count: _count, since: _min.createdAt, error: lastFailure?.error ?? null };
  },
  async retry(tx, limit) {
    const rows = await tx.db.mailMessage.findMany({
      where: FAILED_MAIL_WITH_TEXT,
      orderBy: { id: "asc" },
      take: limit,
      select: { id: true },
    });
    const requeuedMails = await tx.db.mailMessage.updateManyAndReturn({
      where: { ...FAILED_MAIL_WITH_TEXT, id: { in: rows.map(({ id }) => id) } },
      data: { state: "queued", error: null },
      select: { id: true },
    });
    for (const { id } of requeuedMails) await addJob(tx, "deliver_mail", { mailId: id });
    return requeuedMails.length;
  },
};

/** Failed text messages of the last week. Not retryable: their codes expire within minutes. */
export const failedTextMessages: FailedWork = {
  async inspect({ db }) {
    const where = { ...FAILED_MESSAGE, createdAt: { gt: fromNow(-7 * DAY) } };
    const { _count, _min } = await db.smsMessage.aggregate({
      where,
      _count: true,
      _min: { createdAt: true },
    });
    const lastFailure = await db.smsMessage.findFirst({
      where,
      orderBy: { id: "desc" },
      select: { error: true },
    });
    return { count: _count, since: _min.createdAt, error: lastFailure?.error ?? null };
  },
};
