import type { FailedWork } from "@/server/core/domain";
import { DAY, fromNow } from "@/server/core/time";

/** Endpoints switched off within 30 days because they failed. Only their owners can switch them on again. */
export const failedWebhooks: FailedWork = {
  async inspect({ db }) {
    const { _count, _min } = await db.webhookEndpoint.aggregate({
      where: { disabledReason: "failing", failingSince: { gt: fromNow(-30 * DAY) } },
      _count: true,
      _min: { failingSince: true },
    });
    return { count: _count, since: _min.failingSince, error: null };
  },
};
