import type { FailedWork } from "@/server/core/domain";
import { DAY, fromNow } from "@/server/core/time";

/** Copies of personal data of a week that could not be made; their owners see that, and ask for a new one. */
export const failedExports: FailedWork = {
  async look({ db }) {
    const { _count, _min } = await db.dataExport.aggregate({
      where: { state: "failed", createdAt: { gt: fromNow(-7 * DAY) } },
      _count: true,
      _min: { createdAt: true },
    });
    return { count: _count, since: _min.createdAt, error: null };
  },
};
