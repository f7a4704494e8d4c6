import type { Context, UserActor } from "@/server/core/context";
import type { Output } from "@/server/core/contract";
import { invalid, refuse } from "@/server/core/errors";
import { lockOwnAccount } from "@/server/domains/accounts/proof/service/own-account";
import type { Work } from "@/server/infrastructure/database/transaction";
import type { getTeamOwner } from "../contract";
import { grantedModules, mayHaveTeam } from "../policy";
import { lockAccount, type Owner } from "../statements";

/**
 * Locks the caller's account, so that changes of one team run one after the other, and none after the account has ended.
 * Throws `forbidden` for an agent, and `unauthenticated`.
 */
export async function lockOwner(tx: Context<UserActor>): Promise<Owner> {
  await lockOwnAccount(tx);
  const [owner] = await lockAccount(tx, { userId: tx.actor.id });
  if (!owner || !mayHaveTeam(owner)) throw refuse("forbidden");
  return owner;
}

/** Whether a site belongs to this account or to one of its sub-users, so that its agents may work there. */
export async function ownsSite({ db }: Pick<Work, "db">, ownerId: number, siteId: number): Promise<boolean> {
  const site = await db.site.findFirst({
    where: { id: siteId, deletedAt: null, OR: [{ userId: ownerId }, { owner: { parentUserId: ownerId } }] },
    select: { id: true },
  });
  return site !== null;
}

/** Throws `validation` for a site that is not the owner's, alike for foreign and missing sites. */
export async function requireSite(work: Pick<Work, "db">, ownerId: number, siteId: number): Promise<void> {
  if (!(await ownsSite(work, ownerId, siteId))) throw invalid("site_id", "site_unknown");
}

/** Returns the modules to store; throws `validation` for more than the owner has. */
export function requireModules(
  asked: string[] | null,
  { allowedModules: own }: Pick<Owner, "allowedModules">,
): string[] | null {
  if (asked && own && !asked.every((name) => own.includes(name)))
    throw invalid("allowed_modules", "modules_beyond");
  return grantedModules(asked && [...new Set(asked)], own);
}

/** Returns whose team the caller is a member of, null for an account of its own. */
export async function whose({ db, actor }: Context<UserActor>): Promise<Output<typeof getTeamOwner>> {
  const owner = await db.user.findFirst({
    where: { subUsers: { some: { id: actor.id } }, anonymisedAt: null },
    select: { name: true, email: true },
  });
  return { success: true, owner };
}
