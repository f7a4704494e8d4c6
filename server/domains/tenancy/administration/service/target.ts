import type { Context, UserActor } from "@/server/core/context";
import { requireAdministrator } from "@/server/core/context";
import { refuse } from "@/server/core/errors";
import { lockAdministrators, lockUser, lockUserIfAny } from "@/server/domains/accounts/users/service/lock";
import { lockOwnAccountAmong } from "@/server/domains/accounts/users/service/own-account";
import { agentsFromAbove } from "@/server/domains/tenancy/team/service/release";
import { withTransaction } from "@/server/infrastructure/database/transaction";

/**
 * A transaction in which an administrator changes others' accounts, which are locked with their own in the order of their
 * numbers, as everywhere. Whoever is no administrator any more changes nothing, so of two who demote or deactivate each
 * other at once, one stays. Throws `forbidden`, `unauthenticated`.
 */
export async function asAdministrator<T>(
  ctx: Context<UserActor>,
  others: readonly number[],
  work: (tx: Context<UserActor>) => Promise<T>,
): Promise<T> {
  requireAdministrator(ctx.actor);
  return withTransaction(ctx, async (tx) => {
    await lockAdministrators(tx);
    await lockOwnAccountAmong(tx, others);
    const still = await tx.db.user.count({ where: { id: tx.actor.id, role: "admin", isActive: true } });
    if (still === 0) throw refuse("forbidden");
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

/** Locks the account and reads it. Throws `record_not_found` for none and for an anonymised one. */
export async function lockTarget(tx: Context<UserActor>, id: number) {
  const find = () => tx.db.user.findUnique({ where: { id, anonymisedAt: null }, select: TARGET });
  if (await find()) await lockUser(tx, id);
  const target = await find();
  if (!target) throw refuse("record_not_found", { params: { model: "User", id } });
  return target;
}

/**
 * The same with its members, by number as everywhere: a change of its role or reseller changes theirs, too. Returns their
 * numbers as well.
 */
export async function lockTargetWithMembers(tx: Context<UserActor>, id: number) {
  const target = await lockTarget(tx, id);
  const members = await membersOf(tx, id);
  // All but who has joined since `familyOf` are locked already.
  for (const each of members) await lockUserIfAny(tx, each);
  return { target, members };
}

/** Whether somebody is above an account, and may have set something up for it. */
export function hasAbove(account: { parentUserId: number | null; resellerId: number | null }): boolean {
  return account.parentUserId !== null || account.resellerId !== null;
}

/** An account and those that change with it: its members, and agents whom somebody above has put on their sites. */
export async function familyOf(ctx: Pick<Context, "db">, id: number): Promise<number[]> {
  const family = [id, ...(await membersOf(ctx, id))];
  return [...family, ...(await agentsFromAbove(ctx, family))];
}

/** Locks all of them where nobody else is locked before, by number as everywhere; those that are gone are left out. */
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
