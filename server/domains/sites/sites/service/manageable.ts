import type { Context, UserActor } from "@/server/core/context";
import { createError, createNotFoundError } from "@/server/core/errors";
import { lockCallerAndAccount } from "@/server/domains/accounts/users/service/own-account";
import { lockSlots } from "@/server/domains/sites/slots/service";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import { type DbAccess, withTransaction } from "@/server/infrastructure/database/transaction";
import { canManageSite } from "../policy";
import { lockOpenLicences, lockSiteRow, lockSiteRowAgainstDeletion } from "../statements";

const SITE_SELECT = {
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

type ManageableSite = Prisma.SiteGetPayload<{ select: typeof SITE_SELECT }>;

export async function requireManageableSite(
  { db }: Pick<DbAccess, "db">,
  { scope }: UserActor,
  siteId: number,
): Promise<ManageableSite> {
  const site = await db.site.findUnique({ where: { id: siteId, deletedAt: null }, select: SITE_SELECT });
  if (!site) throw createNotFoundError("Site", siteId);
  const { owner } = site;
  const lineage = {
    id: site.id,
    userId: site.userId,
    ownerParentId: owner.parentUserId,
    ownerResellerId: owner.resellerId,
    parentResellerId: owner.parent?.resellerId ?? null,
  };
  if (!canManageSite(scope, lineage)) throw createError("forbidden");
  return site;
}

/** Only administrators may activate, delete or change the domain of a site that one of them suspended. */
export function requireNotSuspendedByAdmin(
  { role }: UserActor,
  { suspendedReason }: Pick<ManageableSite, "suspendedReason">,
): void {
  if (suspendedReason === "administrator" && role !== "admin") throw createError("site_held");
}

export async function lockSite(tx: Pick<DbAccess, "sql">, siteId: number): Promise<void> {
  const [row] = await lockSiteRow(tx, { siteId });
  if (!row) throw createNotFoundError("Site", siteId);
}

/** Prevents deletion of a site until the transaction ends. Returns false if it does not exist. */
export async function lockSiteAgainstDeletion(tx: Pick<DbAccess, "sql">, siteId: number): Promise<boolean> {
  return (await lockSiteRowAgainstDeletion(tx, { siteId })).length > 0;
}

/**
 * Runs `work` with the site locked. Locks in this order, against deadlocks: the accounts of caller and owner,
 * by ID; with `slots`, the owner's subscriptions, then the site's licences; the site.
 */
export function withLockedSite<T>(
  ctx: Context<UserActor>,
  siteId: number,
  work: (tx: Context<UserActor>, site: ManageableSite) => Promise<T>,
  { locksSlots = false } = {},
): Promise<T> {
  return withTransaction(ctx, async (tx) => {
    const { userId: ownerId } = await requireManageableSite(tx, ctx.actor, siteId);
    await lockCallerAndAccount(tx, ownerId);
    if (locksSlots) {
      await lockSlots(tx, ownerId);
      // Before the site, as when a payment is recorded. That may run for another account, so the account
      // locks do not exclude it.
      await lockOpenLicences.sendWithoutWaiting(tx, { siteIds: [siteId] });
    }
    await lockSite(tx, siteId);
    // Again: the site may have changed before it was locked.
    return work(tx, await requireManageableSite(tx, ctx.actor, siteId));
  });
}
