import type { Context, UserActor } from "@/server/core/context";
import { requireAdministrator } from "@/server/core/context";
import { refuse } from "@/server/core/errors";
import { lockAdministrators, lockUser, lockUserIfAny } from "@/server/domains/accounts/users/service/lock";
import { lockOwnAndOthers } from "@/server/domains/accounts/users/service/own-account";
import { agentsOfFormerParents } from "@/server/domains/tenancy/team/service/release";
import { withTransaction } from "@/server/infrastructure/database/transaction";

/**
 * Locks the accounts in the order of their IDs and checks the caller's role again: of two administrators who
 * demote each other at once, one remains. Throws `forbidden` and `unauthenticated`.
 */
export async function asAdministrator<T>(
  ctx: Context<UserActor>,
  accountIds: readonly number[],
  work: (tx: Context<UserActor>) => Promise<T>,
): Promise<T> {
  requireAdministrator(ctx.actor);
  return withTransaction(ctx, async (tx) => {
    await lockAdministrators(tx);
    await lockOwnAndOthers(tx, accountIds);
    const administrators = await tx.db.user.count({
      where: { id: tx.actor.id, role: "admin", isActive: true },
    });
    if (administrators === 0) throw refuse("forbidden");
    return work(tx);
  });
}

const TARGET = {
  id: true,
  name: true,
  email: true,
  locale: true,
  role: true,
  isActive: true,
  deactivatedBy: true,
  isAgentOnly: true,
  parentUserId: true,
  resellerId: true,
  emailVerifiedAt: true,
} as const;

/** Locks and returns the account. Throws `record_not_found`, also for an anonymised one. */
export async function lockTarget(tx: Context<UserActor>, id: number) {
  const find = () => tx.db.user.findUnique({ where: { id, anonymisedAt: null }, select: TARGET });
  if (await find()) await lockUser(tx, id);
  const target = await find();
  if (!target) throw refuse("record_not_found", { params: { model: "User", id } });
  return target;
}

/** Also locks the members in the order of their IDs: their role or reseller changes, too. */
export async function lockTargetAndMembers(tx: Context<UserActor>, id: number) {
  const target = await lockTarget(tx, id);
  const members = await membersOf(tx, id);
  // `familyOf` was locked before; this adds members who joined since.
  for (const each of members) await lockUserIfAny(tx, each);
  return { target, members };
}

export function hasParentOrReseller(account: {
  parentUserId: number | null;
  resellerId: number | null;
}): boolean {
  return account.parentUserId !== null || account.resellerId !== null;
}

/** IDs of the account, its members, and agents that a parent or reseller put on their sites. */
export async function familyOf(ctx: Pick<Context, "db">, id: number): Promise<number[]> {
  const family = [id, ...(await membersOf(ctx, id))];
  return [...family, ...(await agentsOfFormerParents(ctx, family))];
}

/** Locks the family in the order of IDs. Only valid if no account is locked yet. */
export async function lockFamily(tx: Context, id: number): Promise<void> {
  const family = new Set(await familyOf(tx, id));
  for (const each of [...family].sort((a, b) => a - b)) await lockUserIfAny(tx, each);
}

export async function membersOf({ db }: Pick<Context, "db">, id: number): Promise<number[]> {
  const members = await db.user.findMany({
    where: { parentUserId: id, anonymisedAt: null },
    orderBy: { id: "asc" },
    select: { id: true },
  });
  return members.map((member) => member.id);
}
