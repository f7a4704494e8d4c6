import type { Context } from "@/server/core/context";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { emitWebhookEvent } from "@/server/domains/accounts/webhooks/service/events";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import { listSlotSubscriptions, whereLicenceCoversSiteAt } from "../service";

export const AFFECTED_SITE_SELECT = {
  id: true,
  name: true,
  domain: true,
  isActive: true,
} as const satisfies Prisma.SiteSelect;
export type AffectedSite = Prisma.SiteGetPayload<{ select: typeof AFFECTED_SITE_SELECT }>;

/** Upper bound for the query; no subscription has more slots than this. */
const MAX_SLOTS = 10_000;

export interface ReleasedSites {
  moved: AffectedSite[];
  suspended: AffectedSite[];
}

/* Lock the account's subscriptions first (`lockSlots`). Database triggers update `used_slots`. */

/**
 * Licensed sites leave their slot. Others move into free slots, oldest first; the rest are suspended.
 * `forecastAtEnd()` in billing/subscriptions/service/forecast.ts must match.
 */
export async function releaseSubscriptionSites(
  tx: Context,
  { subscriptionId, userId }: { subscriptionId: number; userId: number },
): Promise<ReleasedSites> {
  const unlicensedSites = await releaseAndExcludeLicensedSites(
    tx,
    await listSitesInSlots(tx, subscriptionId),
  );
  const moved: AffectedSite[] = [];
  for (const otherSubscription of await listSlotSubscriptions(tx, userId)) {
    if (otherSubscription.id === subscriptionId) continue;
    const sitesToMove = unlicensedSites.splice(
      0,
      Math.max(0, otherSubscription.slotCount - otherSubscription.usedSlotCount),
    );
    await assignSubscription(tx, sitesToMove, otherSubscription.id);
    moved.push(...sitesToMove);
  }
  return { moved, suspended: await suspendSites(tx, userId, unlicensedSites.reverse()) };
}

/** Moves as many sites as fit, oldest first. The rest stay. */
export async function moveSitesIntoFreeSlots(
  tx: Context,
  { fromSubscriptionId, toSubscriptionId }: { fromSubscriptionId: number; toSubscriptionId: number },
): Promise<AffectedSite[]> {
  const moved = (await listSitesInSlots(tx, fromSubscriptionId)).slice(
    0,
    await countFreeSlots(tx, toSubscriptionId),
  );
  await assignSubscription(tx, moved, toSubscriptionId);
  return moved;
}

/** Activates sites suspended by an ended subscription, oldest first, while the given one has free slots. */
export async function restoreSitesIntoFreeSlots(
  tx: Context,
  { userId, subscriptionId }: { userId: number; subscriptionId: number },
): Promise<AffectedSite[]> {
  const suspendedSites = await tx.db.site.findMany({
    where: { userId, suspendedReason: "subscription_ended", deletedAt: null },
    orderBy: { id: "asc" },
    take: MAX_SLOTS,
    select: AFFECTED_SITE_SELECT,
  });
  if (suspendedSites.length === 0) return [];
  const sites = suspendedSites.slice(0, await countFreeSlots(tx, subscriptionId));
  await tx.db.site.updateMany({
    where: { id: { in: getIds(sites) } },
    data: { subscriptionId, isActive: true, suspendedReason: null },
  });
  for (const { id } of sites)
    await audit(tx, {
      action: "site.restored",
      object: { type: "Site", id },
      details: { subscription: subscriptionId },
    });
  return sites.map((site) => ({ ...site, isActive: true }));
}

export async function countFreeSlots({ db }: Pick<Context, "db">, subscriptionId: number): Promise<number> {
  const { siteSlots, usedSlots } = await db.subscription.findUniqueOrThrow({
    where: { id: subscriptionId },
    select: { siteSlots: true, usedSlots: true },
  });
  return siteSlots - usedSlots;
}

function listSitesInSlots({ db }: Pick<Context, "db">, subscriptionId: number): Promise<AffectedSite[]> {
  return db.site.findMany({
    where: { subscriptionId, deletedAt: null },
    orderBy: { id: "asc" },
    select: AFFECTED_SITE_SELECT,
  });
}

/** Takes licensed sites out of their slots. Returns the other sites. */
async function releaseAndExcludeLicensedSites(
  { db }: Pick<Context, "db">,
  sites: AffectedSite[],
): Promise<AffectedSite[]> {
  const licences = await db.siteLicence.findMany({
    where: { siteId: { in: getIds(sites) }, ...whereLicenceCoversSiteAt(new Date()) },
    select: { siteId: true },
  });
  const licensedSiteIds = new Set(licences.map(({ siteId }) => siteId));
  await db.site.updateMany({ where: { id: { in: [...licensedSiteIds] } }, data: { subscriptionId: null } });
  return sites.filter(({ id }) => !licensedSiteIds.has(id));
}

async function assignSubscription(
  { db }: Pick<Context, "db">,
  sites: AffectedSite[],
  subscriptionId: number,
) {
  if (sites.length === 0) return;
  await db.site.updateMany({ where: { id: { in: getIds(sites) } }, data: { subscriptionId } });
}

async function suspendSites(tx: Context, userId: number, sites: AffectedSite[]): Promise<AffectedSite[]> {
  const activeSites = sites.filter(({ isActive }) => isActive);
  await tx.db.site.updateMany({ where: { id: { in: getIds(sites) } }, data: { subscriptionId: null } });
  await tx.db.site.updateMany({
    where: { id: { in: getIds(activeSites) } },
    data: { isActive: false, suspendedReason: "subscription_ended" },
  });
  for (const { id, domain } of activeSites) {
    await audit(tx, {
      action: "site.suspended",
      object: { type: "Site", id },
      details: { reason: "subscription_ended" },
    });
    const data = { id, domain, user_id: userId, suspended_reason: "subscription_ended" as const };
    await emitWebhookEvent(tx, { type: "site.suspended", ownerId: userId, data });
  }
  return activeSites.map((site) => ({ ...site, isActive: false }));
}

const getIds = (sites: AffectedSite[]) => sites.map(({ id }) => id);
