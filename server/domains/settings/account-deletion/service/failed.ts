import type { FailedWork } from "@/server/core/domain";
import { DAY, fromNow } from "@/server/core/time";

/** Permanently failed teardown tasks. Their secrets are wiped: someone must act manually. */
export const failedTeardowns: FailedWork = {
  async inspect({ db }) {
    const where = { state: "failed", finishedAt: { gt: fromNow(-30 * DAY) } } as const;
    const { _count, _min } = await db.teardownTask.aggregate({
      where,
      _count: true,
      _min: { finishedAt: true },
    });
    const lastFailure = await db.teardownTask.findFirst({
      where,
      orderBy: { id: "desc" },
      select: { error: true },
    });
    return { count: _count, since: _min.finishedAt, error: lastFailure?.error ?? null };
  },
};
