import { DAY } from "@/server/core/time";
import { SUBSCRIPTION_GRACE_DAYS } from "@/server/domains/sites/slots/contract";
import { whereLicenceCoversSiteAt } from "@/server/domains/sites/slots/service";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { FORECAST_SITES_MAX } from "../contract";

interface SlotTerm {
  id: number;
  siteSlots: number;
  usedSlots: number;
  endsAt: Date;
}

export const getSlotsUntil = ({ endsAt }: Pick<SlotTerm, "endsAt">) =>
  new Date(endsAt.getTime() + SUBSCRIPTION_GRACE_DAYS * DAY);

/** Sites of a subscription without a licence that pays for them when they lose their slot. */
export const whereSiteNeedsSlot = (subscription: Pick<SlotTerm, "id" | "endsAt">) =>
  ({
    subscriptionId: subscription.id,
    licences: { none: whereLicenceCoversSiteAt(getSlotsUntil(subscription)) },
  }) satisfies Prisma.SiteWhereInput;

/** Forecasts which sites move to another slot or are suspended at the end. Must match `releaseSubscriptionSites()`. */
export async function forecastAtEnd(
  { db }: Pick<DbAccess, "db">,
  subscription: SlotTerm,
  liveSubscriptions: readonly SlotTerm[],
) {
  const laterSubscriptions = liveSubscriptions.filter(
    (other) => other.id !== subscription.id && getSlotsUntil(other) > getSlotsUntil(subscription),
  );
  const freeSlots = laterSubscriptions.reduce(
    (sum, { siteSlots, usedSlots }) => sum + siteSlots - usedSlots,
    0,
  );
  const dependentSiteFilter = whereSiteNeedsSlot(subscription);
  const dependentCount = await db.site.count({ where: dependentSiteFilter });
  const movedCount = Math.min(freeSlots, dependentCount);
  const suspendedCount = dependentCount - movedCount;
  const listSites = (direction: "asc" | "desc", count: number) =>
    db.site.findMany({
      where: dependentSiteFilter,
      orderBy: { id: direction },
      take: Math.min(count, FORECAST_SITES_MAX),
      select: { id: true, name: true, domain: true },
    });
  return {
    moved_count: movedCount,
    moved: await listSites("asc", movedCount),
    suspended_count: suspendedCount,
    suspended: await listSites("desc", suspendedCount),
  };
}
