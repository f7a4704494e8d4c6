import type { Context, UserActor } from "@/server/core/context";
import { requireAdministrator } from "@/server/core/context";
import { createError, createNotFoundError } from "@/server/core/errors";
import { MAIL_LOCALE_SELECT } from "@/server/core/locale";
import { lockAdministrators, lockUser, lockUserIfExists } from "@/server/domains/accounts/users/service/lock";
import { lockCallerAndAccounts } from "@/server/domains/accounts/users/service/own-account";
import { listForeignAgentIds } from "@/server/domains/tenancy/team/service/revoke-former-access";
import { withTransaction } from "@/server/infrastructure/database/transaction";

/** Locks accounts in ID order and checks the caller's role again, so that one administrator remains. */
export async function inAdministratorTransaction<T>(
  ctx: Context<UserActor>,
  accountIds: readonly number[],
  work: (tx: Context<UserActor>) => Promise<T>,
): Promise<T> {
  requireAdministrator(ctx.actor);
  return withTransaction(ctx, async (tx) => {
    await lockAdministrators(tx);
    await lockCallerAndAccounts(tx, accountIds);
    const administratorCount = await tx.db.user.count({
      where: { id: tx.actor.id, role: "admin", isActive: true },
    });
    if (administratorCount === 0) throw createError("forbidden");
    return work(tx);
  });
}

const TARGET_SELECT = {
  id: true,
  name: true,
  email: true,
  ...MAIL_LOCALE_SELECT,
  role: true,
  isActive: true,
  deactivatedBy: true,
  isAgentOnly: true,
  parentUserId: true,
  resellerId: true,
  emailVerifiedAt: true,
} as const;

export async function lockTarget(tx: Context<UserActor>, id: number) {
  const findTarget = () =>
    tx.db.user.findUnique({ where: { id, anonymisedAt: null }, select: TARGET_SELECT });
  if (await findTarget()) await lockUser(tx, id);
  const target = await findTarget();
  if (!target) throw createNotFoundError("User", id);
  return target;
}

/** Locks the account, then its members in the order of their IDs. */
export async function lockTargetAndMembers(tx: Context<UserActor>, id: number) {
  const target = await lockTarget(tx, id);
  const memberIds = await listMemberIds(tx, id);
  // The caller locked `listAccountAndMemberIds` before; this adds members who joined since.
  for (const memberId of memberIds) await lockUserIfExists(tx, memberId);
  return { target, memberIds };
}

export function hasParentOrReseller(account: {
  parentUserId: number | null;
  resellerId: number | null;
}): boolean {
  return account.parentUserId !== null || account.resellerId !== null;
}

/** IDs of the account, its members, and agents that a parent or reseller put on their sites. */
export async function listAccountAndMemberIds(ctx: Pick<Context, "db">, id: number): Promise<number[]> {
  const familyIds = [id, ...(await listMemberIds(ctx, id))];
  return [...familyIds, ...(await listForeignAgentIds(ctx, familyIds))];
}

/** Locks the family in the order of IDs. Call it before any other account lock, to avoid a deadlock. */
export async function lockFamily(tx: Context, id: number): Promise<void> {
  const familyIds = new Set(await listAccountAndMemberIds(tx, id));
  for (const accountId of [...familyIds].sort((a, b) => a - b)) await lockUserIfExists(tx, accountId);
}

export async function listMemberIds({ db }: Pick<Context, "db">, id: number): Promise<number[]> {
  const members = await db.user.findMany({
    where: { parentUserId: id, anonymisedAt: null },
    orderBy: { id: "asc" },
    select: { id: true },
  });
  return members.map((member) => member.id);
}
