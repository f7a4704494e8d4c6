import type { Context, UserActor } from "@/server/core/context";
import { env } from "@/server/core/env";
import { createError } from "@/server/core/errors";
import { lockCallerAndAccount } from "@/server/domains/accounts/users/service/own-account";

type LibraryAccess = Pick<Context<UserActor>, "db" | "actor">;

/** Decides the quota, and whether files are public. */
export interface LibraryOwner {
  id: number;
  emailVerified: boolean;
}

/** Returns the account whose library the caller uses; for an agent, the parent. */
export async function findLibraryOwner({ db, actor }: LibraryAccess): Promise<LibraryOwner> {
  if (!actor.scope.isAgent) return actor;
  const agent = await db.user.findUnique({
    where: { id: actor.id },
    select: { parent: { select: { id: true, emailVerifiedAt: true } } },
  });
  if (!agent?.parent) return actor;
  return { id: agent.parent.id, emailVerified: agent.parent.emailVerifiedAt !== null };
}

export async function findLibraryOwnerId(access: LibraryAccess): Promise<number> {
  return (await findLibraryOwner(access)).id;
}

/** Locks the accounts of the caller and the library's owner. */
export async function lockLibraryOwner(tx: Context<UserActor>): Promise<LibraryOwner> {
  const { id } = await findLibraryOwner(tx);
  await lockCallerAndAccount(tx, id);
  if (id === tx.actor.id) return tx.actor;
  const parent = await tx.db.user.findUnique({ where: { id }, select: { isActive: true } });
  const owner = await findLibraryOwner(tx);
  if (!parent?.isActive || owner.id !== id) throw createError("unauthenticated");
  return owner;
}

const UNVERIFIED_QUOTA_MB = 256;

export function getQuotaBytes({ emailVerified }: LibraryOwner): number {
  const { MEDIA_QUOTA_MB } = env();
  return (emailVerified ? MEDIA_QUOTA_MB : Math.min(UNVERIFIED_QUOTA_MB, MEDIA_QUOTA_MB)) * 1_048_576;
}

export async function getLibraryUsage({ db }: Pick<LibraryAccess, "db">, owner: LibraryOwner) {
  const usage = await db.mediaUsage.findUnique({ where: { userId: owner.id } });
  return {
    used_bytes: Number(usage?.bytes ?? 0),
    quota_bytes: getQuotaBytes(owner),
    files: usage?.files ?? 0,
  };
}
