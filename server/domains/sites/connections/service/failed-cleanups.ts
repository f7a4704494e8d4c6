import type { FailedWork } from "@/server/core/domain";
import { DAY, fromNow } from "@/server/core/time";

/** Items whose retries ended in the last 30 days. `remote_forbidden` is excluded: only the owner can help. */
const whereGivenUp = () =>
  ({
    state: "failed",
    nextAt: null,
    reason: "remote_failed",
    finishedAt: { gt: fromNow(-30 * DAY) },
  }) as const;

export const failedCleanups: FailedWork = {
  async inspect({ db }) {
    const where = whereGivenUp();
    const { _count, _min } = await db.cleanupItem.aggregate({
      where,
      _count: true,
      _min: { finishedAt: true },
    });
    const lastItem = await db.cleanupItem.findFirst({
      where,
      orderBy: { id: "desc" },
      select: { channel: true, reason: true },
    });
    return {
      count: _count,
      since: _min.finishedAt,
      error: lastItem && [lastItem.channel, lastItem.reason].filter(Boolean).join(": "),
    };
  },
  async retry({ db }, limit) {
    const where = whereGivenUp();
    const rows = await db.cleanupItem.findMany({
      where,
      orderBy: { id: "asc" },
      take: limit,
      select: { id: true },
    });
    const retriedItems = await db.cleanupItem.updateManyAndReturn({
      where: { ...where, id: { in: rows.map(({ id }) => id) } },
      data: { nextAt: new Date(), finishedAt: null },
      select: { runId: true },
    });
    await db.cleanupRun.updateMany({
      where: { id: { in: retriedItems.map(({ runId }) => runId) } },
      data: { finishedAt: null },
    });
    return retriedItems.length;
  },
};
