import type { FailedWork } from "@/server/core/domain";
import { DAY, fromNow } from "@/server/core/time";

/** Exports of the last seven days that failed. Their owners see it and can request a new one. */
export const failedExports: FailedWork = {
  async inspect({ db }) {
    const { _count, _min } = await db.dataExport.aggregate({
      where: { state: "failed", createdAt: { gt: fromNow(-7 * DAY) } },
      _count: true,
      _min: { createdAt: true },
    });
    return { count: _count, since: _min.createdAt, error: null };
  },
};
