import type { UserActor } from "@/server/core/context";
import { outOfReach, refuse } from "@/server/core/errors";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import type { Work } from "@/server/infrastructure/database/transaction";
import { mayManageKeys } from "../policy";
import { lockRow } from "../statements";

const SITE = {
  id: true,
  userId: true,
  name: true,
  apiKeySealed: true,
  apiKeyLastFour: true,
  owner: { select: { parentUserId: true, resellerId: true, parent: { select: { resellerId: true } } } },
} as const satisfies Prisma.SiteSelect;

type ManageableSite = Prisma.SiteGetPayload<{ select: typeof SITE }>;

/**
 * Returns the site when the caller may manage its keys and accounts; throws 404 when there is none, 403 when they may
 * not.
 */
export async function requireManageable(
  { db }: Pick<Work, "db">,
  { scope }: UserActor,
  siteId: number,
): Promise<ManageableSite> {
  const site = await db.site.findUnique({ where: { id: siteId }, select: SITE });
  if (!site) throw outOfReach(undefined, "Site", siteId);
  const { owner } = site;
  const lineage = {
    id: site.id,
    userId: site.userId,
    ownerParentId: owner.parentUserId,
    ownerResellerId: owner.resellerId,
    parentResellerId: owner.parent?.resellerId ?? null,
  };
  if (!mayManageKeys(scope, lineage)) throw refuse("forbidden");
  return site;
}

/** Locks a site until the transaction ends: changes of its keys and accounts run one after the other. */
export async function lockSite(tx: Pick<Work, "sql">, siteId: number): Promise<void> {
  await lockRow(tx, { siteId });
}
