import { log } from "@/server/core/log";
import { DAY, fromNow, HOUR } from "@/server/core/time";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { addJob } from "@/server/infrastructure/jobs/queue";
import { checkPortalDomain } from "./service/check";

/**
 * Every ten minutes, the job checks failing domains, and new ones for this period. The description of
 * `checkPortal` repeats these values.
 */
const PENDING_CHECK_PERIOD_MS = 2 * DAY;
const VERIFIED_CHECK_INTERVAL_MS = 6 * HOUR;

/** Queues one job per due domain: a slow domain does not delay the others. */
export async function checkPortalsJob(): Promise<void> {
  const duePortals = await withoutTransaction().db.resellerPortal.findMany({
    where: {
      OR: [
        { failingSince: { not: null } },
        { verifiedAt: null, claimedAt: { gt: fromNow(-PENDING_CHECK_PERIOD_MS) } },
        { verifiedAt: { not: null }, checkedAt: null },
        { verifiedAt: { not: null }, checkedAt: { lt: fromNow(-VERIFIED_CHECK_INTERVAL_MS) } },
      ],
    },
    select: { resellerId: true },
  });
  for (const { resellerId } of duePortals)
    await addJob(withoutTransaction(), "check_portal", { resellerId }, { key: `check_portal:${resellerId}` });
  if (duePortals.length > 0) log.debug({ event: "portals.due", count: duePortals.length });
}

export async function checkPortalJob({ resellerId }: { resellerId: number }): Promise<void> {
  await checkPortalDomain(resellerId);
}
