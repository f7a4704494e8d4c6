import type { Context, UserActor } from "@/server/core/context";
import { env } from "@/server/core/env";
import { createError } from "@/server/core/errors";
import { lockCallerAndAccount } from "@/server/domains/accounts/users/service/own-account";

/** Returns the ID of the account whose library the caller uses; for an agent, the parent. */
export async function findLibraryOwnerId({
  db,
  actor,
}: Pick<Context<UserActor>, "db" | "actor">): Promise<number> {
  if (!actor.scope.isAgent) return actor.id;
  const agent = await db.user.findUnique({ where: { id: actor.id }, select: { parentUserId: true } });
  return agent?.parentUserId ?? actor.id;
}

/** Locks the accounts of the caller and the library's owner. Returns the owner's ID. */
export async function lockLibraryOwner(tx: Context<UserActor>): Promise<number> {
  const libraryOwnerId = await findLibraryOwnerId(tx);
  await lockCallerAndAccount(tx, libraryOwnerId);
  if (libraryOwnerId === tx.actor.id) return libraryOwnerId;
  const parent = await tx.db.user.findUnique({ where: { id: libraryOwnerId }, select: { isActive: true } });
  if (!parent?.isActive || (await findLibraryOwnerId(tx)) !== libraryOwnerId)
    throw createError("unauthenticated");
  return libraryOwnerId;
}

const UNVERIFIED_QUOTA_MB = 256;

export function getQuotaBytes({ actor }: Pick<Context<UserActor>, "actor">): number {
  const { MEDIA_QUOTA_MB } = env();
  return (actor.emailVerified ? MEDIA_QUOTA_MB : Math.min(UNVERIFIED_QUOTA_MB, MEDIA_QUOTA_MB)) * 1_048_576;
}

export async function getLibraryUsage(ctx: Pick<Context<UserActor>, "db" | "actor">, userId: number) {
  const usage = await ctx.db.mediaUsage.findUnique({ where: { userId } });
  return { used_bytes: Number(usage?.bytes ?? 0), quota_bytes: getQuotaBytes(ctx), files: usage?.files ?? 0 };
}
