import type { Context } from "@/server/core/context";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { emit } from "@/server/domains/accounts/webhooks/service/events";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import { payingAt, slotsOf } from "../service";

export const AFFECTED_SITE = {
  id: true,
  name: true,
  domain: true,
  isActive: true,
} as const satisfies Prisma.SiteSelect;
export type AffectedSite = Prisma.SiteGetPayload<{ select: typeof AFFECTED_SITE }>;

const SLOTS_MAX = 10_000;

export interface ReleasedSites {
  moved: AffectedSite[];
  suspended: AffectedSite[];
}

/*
 * Lock the account's subscriptions (`lockSlots`) before calling these. Database triggers keep `used_slots`.
 */

/**
 * Releases the sites of a subscription that ended. Sites with a paying licence leave the slot; the others
 * move into free slots, oldest first; the rest is suspended and holds no slot.
 */
export async function releaseSites(
  tx: Context,
  { subscriptionId, userId }: { subscriptionId: number; userId: number },
): Promise<ReleasedSites> {
  const sites = await releaseLicensed(tx, await sitesOf(tx, subscriptionId));
  const moved: AffectedSite[] = [];
  for (const slot of await slotsOf(tx, userId)) {
    if (slot.id === subscriptionId) continue;
    const next = sites.splice(0, Math.max(0, slot.slots - slot.used));
    await assignSubscription(tx, next, slot.id);
    moved.push(...next);
  }
  return { moved, suspended: await suspendAll(tx, userId, sites.reverse()) };
}

/** Moves sites to another subscription, oldest first, while it has free slots. */
export async function moveSites(
  tx: Context,
  { from, to }: { from: number; to: number },
): Promise<AffectedSite[]> {
  const moved = (await sitesOf(tx, from)).slice(0, await freeSlotsOf(tx, to));
  await assignSubscription(tx, moved, to);
  return moved;
}

/** Restores sites that were suspended with a subscription, oldest first, while this one has free slots. */
export async function restoreSites(
  tx: Context,
  { userId, subscriptionId }: { userId: number; subscriptionId: number },
): Promise<AffectedSite[]> {
  const suspended = await tx.db.site.findMany({
    where: { userId, suspendedReason: "subscription_ended", deletedAt: null },
    orderBy: { id: "asc" },
    take: SLOTS_MAX,
    select: AFFECTED_SITE,
  });
  if (suspended.length === 0) return [];
  const sites = suspended.slice(0, await freeSlotsOf(tx, subscriptionId));
  await tx.db.site.updateMany({
    where: { id: { in: idsOf(sites) } },
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

export async function freeSlotsOf({ db }: Pick<Context, "db">, subscriptionId: number): Promise<number> {
  const { siteSlots, usedSlots } = await db.subscription.findUniqueOrThrow({
    where: { id: subscriptionId },
    select: { siteSlots: true, usedSlots: true },
  });
  return siteSlots - usedSlots;
}

function sitesOf({ db }: Pick<Context, "db">, subscriptionId: number): Promise<AffectedSite[]> {
  return db.site.findMany({
    where: { subscriptionId, deletedAt: null },
    orderBy: { id: "asc" },
    select: AFFECTED_SITE,
  });
}

/** Removes sites with a paying licence from their slots; returns the others. */
async function releaseLicensed({ db }: Pick<Context, "db">, sites: AffectedSite[]): Promise<AffectedSite[]> {
  const licences = await db.siteLicence.findMany({
    where: { siteId: { in: idsOf(sites) }, ...payingAt(new Date()) },
    select: { siteId: true },
  });
  const licensed = new Set(licences.map(({ siteId }) => siteId));
  await db.site.updateMany({ where: { id: { in: [...licensed] } }, data: { subscriptionId: null } });
  return sites.filter(({ id }) => !licensed.has(id));
}

async function assignSubscription(
  { db }: Pick<Context, "db">,
  sites: AffectedSite[],
  subscriptionId: number,
) {
  if (sites.length === 0) return;
  await db.site.updateMany({ where: { id: { in: idsOf(sites) } }, data: { subscriptionId } });
}

async function suspendAll(tx: Context, userId: number, sites: AffectedSite[]): Promise<AffectedSite[]> {
  const active = sites.filter(({ isActive }) => isActive);
  await tx.db.site.updateMany({ where: { id: { in: idsOf(sites) } }, data: { subscriptionId: null } });
  await tx.db.site.updateMany({
    where: { id: { in: idsOf(active) } },
    data: { isActive: false, suspendedReason: "subscription_ended" },
  });
  for (const { id, domain } of active) {
    await audit(tx, {
      action: "site.suspended",
      object: { type: "Site", id },
      details: { reason: "subscription_ended" },
    });
    const data = { id, domain, user_id: userId, suspended_reason: "subscription_ended" as const };
    await emit(tx, { type: "site.suspended", ownerId: userId, data });
  }
  return active.map((site) => ({ ...site, isActive: false }));
}

const idsOf = (sites: AffectedSite[]) => sites.map(({ id }) => id);
