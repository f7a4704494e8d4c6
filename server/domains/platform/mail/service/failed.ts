import type { FailedWork } from "@/server/core/domain";
import { DAY, fromNow } from "@/server/core/time";
import { addJob } from "@/server/infrastructure/jobs/queue";
import { ERASED } from "@/server/infrastructure/mail/outbox";

const failed = { state: "failed" } as const;
/** Those whose text is still there, a week long. */
const whole = { ...failed, sealed: { not: ERASED } };

/** Mails that no server accepted. */
export const failedMails: FailedWork = {
  page: "/admin/mails?state=failed",
  async look({ db }) {
    const { _count, _min } = await db.mailMessage.aggregate({
      where: whole,
      _count: true,
      _min: { createdAt: true },
    });
    const last = await db.mailMessage.findFirst({
      where: whole,
      orderBy: { id: "desc" },
      select: { error: true },
    });
    return { count: _count, since: _min.createdAt, error: last?.error ?? null };
  },
  async retry(tx, limit) {
    const rows = await tx.db.mailMessage.findMany({
      where: whole,
      orderBy: { id: "asc" },
      take: limit,
      select: { id: true },
    });
    const taken = await tx.db.mailMessage.updateManyAndReturn({
      where: { ...whole, id: { in: rows.map(({ id }) => id) } },
      data: { state: "queued", error: null },
      select: { id: true },
    });
    for (const { id } of taken) await addJob(tx, "deliver_mail", { mailId: id });
    return taken.length;
  },
};

/** Text messages of a week; their codes live minutes, so sending them again would help nobody. */
export const failedMessages: FailedWork = {
  async look({ db }) {
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
