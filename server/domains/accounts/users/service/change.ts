import type { Context } from "@/server/core/context";
import { countedInvalidField } from "@/server/core/errors";
import { toEmailKey } from "@/server/core/schema";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { isUniqueViolation } from "@/server/infrastructure/database/error-kinds";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { isEmailReserved } from "./find";
import { updateSearchableFields } from "./search";

type Changes = Omit<
  Prisma.UserUncheckedUpdateManyInput,
  | "id"
  | "name"
  | "phone"
  | "email"
  | "emailKey"
  | "pendingEmail"
  | "pendingEmailKey"
  | "pendingBy"
  | "searchText"
  | "credits"
  | "createdAt"
  | "updatedAt"
> & { name?: string; phone?: string | null };

/** Values that clear the owner's data in the account's row, except name and address. */
export const CLEARED_ACCOUNT_VALUES = {
  phone: null,
  phoneVerifiedAt: null,
  passwordHash: null,
  locale: null,
  signUpLocale: null,
  timezone: null,
  appName: null,
  appLogoUrl: null,
  appPrimaryColor: null,
  provider: null,
  avatarUrl: null,
  menuLabels: {},
  emailVerifiedAt: null,
  pendingEmail: null,
  pendingEmailKey: null,
  pendingBy: null,
  dateFormat: "auto",
  hourCycle: "auto",
  weekStart: "auto",
  enrolReminded: null,
} satisfies Prisma.UserUncheckedUpdateManyInput;

/** Updates an account. Returns false if it was deleted or has another address than `toEmailKey`. */
export async function updateUser(
  { db }: Pick<DbAccess, "db">,
  account: { id: number; emailKey?: string },
  changes: Changes | typeof CLEARED_ACCOUNT_VALUES,
): Promise<boolean> {
  if ("name" in changes || "phone" in changes) return updateSearchableFields({ db }, account, changes);
  const { count } = await db.user.updateMany({ where: account, data: changes });
  return count === 1;
}

export async function changeEmailSpelling(
  { db }: Pick<DbAccess, "db">,
  userId: number,
  email: string,
): Promise<void> {
  await updateSearchableFields({ db }, { id: userId, emailKey: toEmailKey(email) }, { email });
}

const NO_PENDING_EMAIL = { pendingEmail: null, pendingEmailKey: null, pendingBy: null };

/** Stores an unverified new address without reserving it. `pendingBy` is the token that requested it. */
export async function setPendingEmail(
  { db }: Pick<DbAccess, "db">,
  userId: number,
  { email, tokenId }: { email: string; tokenId: number },
): Promise<void> {
  const data = { pendingEmail: email, pendingEmailKey: toEmailKey(email), pendingBy: tokenId };
  await db.user.updateMany({ where: { id: userId }, data });
}

/**
 * Cancels a pending address change and writes an audit entry. `tokenId` limits it to changes that this token
 * (with `not`, any other token) requested. Returns false if there was no such change.
 */
export async function cancelPendingEmail(
  tx: Context,
  userId: number,
  tokenId?: number | { not: number },
): Promise<boolean> {
  const where = { id: userId, pendingEmail: { not: null }, pendingBy: tokenId };
  const { count } = await tx.db.user.updateMany({ where, data: NO_PENDING_EMAIL });
  if (count === 0) return false;
  const object = { type: "User" as const, id: userId };
  await audit(tx, { action: "profile.email_change_ended", object, actorId: userId });
  return true;
}

/** Sets the address of an account. Throws `validation` if it is taken; the unique index decides races. */
export async function setEmail(
  { db }: Pick<DbAccess, "db">,
  userId: number,
  { email, verifiedAt }: { email: string; verifiedAt: Date | null },
): Promise<void> {
  const data = { email, emailKey: toEmailKey(email), emailVerifiedAt: verifiedAt, ...NO_PENDING_EMAIL };
  await updateSearchableFields({ db }, { id: userId }, data).catch((error: unknown) => {
    throw isUniqueViolation(error, "email_key") ? countedInvalidField("email", "email_in_use") : error;
  });
  if (await isEmailReserved({ db }, { email, requesterId: userId }))
    throw countedInvalidField("email", "email_in_use");
}

/** Marks an address as verified. Returns when it was verified; undefined if the address has changed. */
export async function markEmailVerified(
  { db }: Pick<DbAccess, "db">,
  { userId, emailKey }: { userId: number; emailKey: string },
): Promise<Date | undefined> {
  const account = { id: userId, emailKey };
  await db.user.updateMany({
    where: { ...account, emailVerifiedAt: null },
    data: { emailVerifiedAt: new Date() },
  });
  const user = await db.user.findUnique({ where: account, select: { emailVerifiedAt: true } });
  return user?.emailVerifiedAt ?? undefined;
}

/** Detaches agents from their site and deactivates them. `activeAgentIds` are those that were active. */
export async function releaseAgents(
  { db }: Pick<DbAccess, "db">,
  where: Prisma.UserWhereInput,
): Promise<{ agentIds: number[]; activeAgentIds: number[] }> {
  const agentRows = await db.user.findMany({ where: { ...where, isAgentOnly: true }, select: { id: true } });
  const agentFilter = { id: { in: agentRows.map(({ id }) => id) } };
  const deactivatedAgents = await db.user.updateManyAndReturn({
    where: { ...agentFilter, isActive: true },
    data: { isActive: false },
    select: { id: true },
  });
  const releasedAgents = await db.user.updateManyAndReturn({
    where: agentFilter,
    data: { assignedSiteId: null },
    select: { id: true },
  });
  const toIds = (rows: Array<{ id: number }>) => rows.map(({ id }) => id);
  return { agentIds: toIds(releasedAgents), activeAgentIds: toIds(deactivatedAgents) };
}

export async function detachDependants({ db }: Pick<DbAccess, "db">, userId: number): Promise<void> {
  await db.user.updateMany({ where: { parentUserId: userId }, data: { parentUserId: null } });
  await db.user.updateMany({ where: { resellerId: userId }, data: { resellerId: null } });
}
