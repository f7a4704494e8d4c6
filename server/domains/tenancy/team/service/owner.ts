import type { Context, UserActor } from "@/server/core/context";
import type { Output } from "@/server/core/contract";
import { createError, invalidField } from "@/server/core/errors";
import { lockOwnAccount } from "@/server/domains/accounts/users/service/own-account";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import type { getTeamOwner } from "../contract";
import { canHaveTeam, intersectModules } from "../policy";
import { lockOwnerAccount, type Owner } from "../statements";

/** Serialises changes of a team. Throws `forbidden` for an agent, and `unauthenticated`. */
export async function lockCallerAsOwner(tx: Context<UserActor>): Promise<Owner> {
  await lockOwnAccount(tx);
  const [owner] = await lockOwnerAccount(tx, { userId: tx.actor.id });
  if (!owner || !canHaveTeam(owner)) throw createError("forbidden");
  return owner;
}

export async function findTeamSite(
  { db }: Pick<DbAccess, "db">,
  ownerId: number,
  siteId: number,
): Promise<{ isOwnerActive: boolean } | null> {
  const site = await db.site.findFirst({
    where: { id: siteId, deletedAt: null, OR: [{ userId: ownerId }, { owner: { parentUserId: ownerId } }] },
    select: { owner: { select: { isActive: true } } },
  });
  return site && { isOwnerActive: site.owner.isActive };
}

/** Throws the same `validation` for foreign and missing sites: the caller must not learn which exist. */
export async function requireTeamSite(
  dbAccess: Pick<DbAccess, "db">,
  ownerId: number,
  siteId: number,
): Promise<void> {
  const site = await findTeamSite(dbAccess, ownerId, siteId);
  if (!site) throw invalidField("site_id", "site_unknown");
  if (!site.isOwnerActive) throw invalidField("site_id", "site_owner_passive");
}

export function requireGrantableModules(
  requested: string[] | null,
  { allowedModules: ownerModules }: Pick<Owner, "allowedModules">,
): string[] | null {
  if (requested && ownerModules && !requested.every((name) => ownerModules.includes(name)))
    throw invalidField("allowed_modules", "modules_beyond");
  return intersectModules(requested && [...new Set(requested)], ownerModules);
}

export async function readTeamOwner({ db, actor }: Context<UserActor>): Promise<Output<typeof getTeamOwner>> {
  const owner = await db.user.findFirst({
    where: { subUsers: { some: { id: actor.id } }, anonymisedAt: null },
    select: { name: true, email: true },
  });
  return { success: true, owner };
}
