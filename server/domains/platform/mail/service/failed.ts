import type { FailedWork } from "@/server/core/domain";
import { DAY, fromNow } from "@/server/core/time";
import { addJob } from "@/server/infrastructure/jobs/queue";
import { ERASED_CONTENT } from "@/server/infrastructure/mail/outbox";

const failed = { state: "failed" } as const;
/** Failed mails whose text is not erased yet: up to one week old. */
const notErased = { ...failed, sealed: { not: ERASED_CONTENT } };

export const failedMails: FailedWork = {
  page: "/admin/mails?state=failed",
  async inspect({ db }) {
    const { _count, _min } = await db.mailMessage.aggregate({
      where: notErased,
      _count: true,
      _min: { createdAt: true },
    });
    const last = await db.mailMessage.findFirst({
      where: notErased,
      orderBy: { id: "desc" },
      select: { error: true },
    });
    return { count: _count, since: _min.createdAt, error: last?.error ?? null };
  },
  async retry(tx, limit) {
    const rows = await tx.db.mailMessage.findMany({
      where: notErased,
      orderBy: { id: "asc" },
      take: limit,
      select: { id: true },
    });
    const requeued = await tx.db.mailMessage.updateManyAndReturn({
      where: { ...notErased, id: { in: rows.map(({ id }) => id) } },
      data: { state: "queued", error: null },
      select: { id: true },
    });
    for (const { id } of requeued) await addJob(tx, "deliver_mail", { mailId: id });
    return requeued.length;
  },
};

/** Failed text messages of the last week. Not retryable: their codes expire within minutes. */
export const failedMessages: FailedWork = {
  async inspect({ db }) {
    const where = { ...failed, createdAt: { gt: fromNow(-7 * DAY) } };
    const { _count, _min } = await db.smsMessage.aggregate({
      where,
      _count: true,
      _min: { createdAt: true },
    });
    const last = await db.smsMessage.findFirst({ where, orderBy: { id: "desc" }, select: { error: true } });
    return { count: _count, since: _min.createdAt, error: last?.error ?? null };
  },
};
