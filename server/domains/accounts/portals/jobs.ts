import { log } from "@/server/core/log";
import { DAY, fromNow, HOUR } from "@/server/core/time";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { addJob } from "@/server/infrastructure/jobs/queue";
import { checkPortalDomain } from "./service/check";

/** New domains are checked at every run for two days, failing ones always, verified ones less often. */
const PENDING_FOR = 2 * DAY;
const PROVED_EVERY = 6 * HOUR;

/** Queues one job per due domain: a slow domain does not delay the others. */
export async function checkPortalsJob(): Promise<void> {
  const due = await withoutTransaction().db.resellerPortal.findMany({
    where: {
      OR: [
        { failingSince: { not: null } },
        { verifiedAt: null, claimedAt: { gt: fromNow(-PENDING_FOR) } },
        { verifiedAt: { not: null }, checkedAt: null },
        { verifiedAt: { not: null }, checkedAt: { lt: fromNow(-PROVED_EVERY) } },
      ],
    },
    select: { resellerId: true },
  });
  for (const { resellerId } of due)
    await addJob(withoutTransaction(), "check_portal", { resellerId }, { key: `check_portal:${resellerId}` });
  if (due.length > 0) log.debug({ event: "portals.due", count: due.length });
}

export async function checkPortalJob({ resellerId }: { resellerId: number }): Promise<void> {
  await checkPortalDomain(resellerId);
}
