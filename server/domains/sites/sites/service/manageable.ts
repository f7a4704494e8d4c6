import type { Context, UserActor } from "@/server/core/context";
import { outOfReach, refuse } from "@/server/core/errors";
import { lockOwnAccountAnd } from "@/server/domains/accounts/users/service/own-account";
import { lockSlots } from "@/server/domains/sites/slots/service";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import { type Work, withTransaction } from "@/server/infrastructure/database/transaction";
import { mayManage } from "../policy";
import { holdRow, lockLicences, lockRow } from "../statements";

const SITE = {
  id: true,
  userId: true,
  subscriptionId: true,
  name: true,
  domain: true,
  apiKeySealed: true,
  apiKeyLastFour: true,
  suspendedReason: true,
  owner: { select: { parentUserId: true, resellerId: true, parent: { select: { resellerId: true } } } },
} as const satisfies Prisma.SiteSelect;

type ManageableSite = Prisma.SiteGetPayload<{ select: typeof SITE }>;

/**
 * Returns the site when the caller may change it and manage its keys and accounts; throws 404 when there is none, 403
 * when they may not.
 */
export async function requireManageable(
  { db }: Pick<Work, "db">,
  { scope }: UserActor,
  siteId: number,
): Promise<ManageableSite> {
  const site = await db.site.findUnique({ where: { id: siteId, deletedAt: null }, select: SITE });
  if (!site) throw outOfReach(undefined, "Site", siteId);
  const { owner } = site;
  const lineage = {
    id: site.id,
    userId: site.userId,
    ownerParentId: owner.parentUserId,
    ownerResellerId: owner.resellerId,
    parentResellerId: owner.parent?.resellerId ?? null,
  };
  if (!mayManage(scope, lineage)) throw refuse("forbidden");
  return site;
}

/** What an administrator suspended, nobody else activates, deletes, or frees the domain of. Throws `site_held`. */
export function requireNotHeld(
  { role }: UserActor,
  { suspendedReason }: Pick<ManageableSite, "suspendedReason">,
): void {
  if (suspendedReason === "administrator" && role !== "admin") throw refuse("site_held");
}

/**
 * Locks a site until the transaction ends: changes of it, its keys and accounts run one after the other. Throws 404 when
 * it was deleted meanwhile.
 */
export async function lockSite(tx: Pick<Work, "sql">, siteId: number): Promise<void> {
  const [locked] = await lockRow(tx, { siteId });
  if (!locked) throw outOfReach(undefined, "Site", siteId);
}

/** Keeps a site from being deleted until the transaction ends; false when there is none. */
export async function holdSite(tx: Pick<Work, "sql">, siteId: number): Promise<boolean> {
  return (await holdRow(tx, { siteId })).length > 0;
}

/**
 * A transaction that changes a site. Accounts are locked first, the caller's and the owner's by number, then, if `slots` is asked
 * for, the owner's subscriptions and the site's licences, at last the site: always in this order, so that changes wait for one
 * another and not in a circle.
 * Throws as {@link requireManageable}.
 */
export function withSite<T>(
  ctx: Context<UserActor>,
  siteId: number,
  work: (tx: Context<UserActor>, site: ManageableSite) => Promise<T>,
  { slots = false } = {},
): Promise<T> {
  return withTransaction(ctx, async (tx) => {
    const { userId: ownerId } = await requireManageable(tx, ctx.actor, siteId);
    await lockOwnAccountAnd(tx, ownerId);
    if (slots) {
      await lockSlots(tx, ownerId);
      // Whoever records a payment locks the licence, then the site, and may do so for another account.
      await lockLicences.later(tx, { ids: [siteId] });
    }
    await lockSite(tx, siteId);
    return work(tx, await requireManageable(tx, ctx.actor, siteId));
  });
}
