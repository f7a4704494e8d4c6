import type { Context, UserActor } from "@/server/core/context";
import { env } from "@/server/core/env";
import { refuse } from "@/server/core/errors";
import { lockOwnAndOther } from "@/server/domains/accounts/users/service/own-account";

/** Returns the account whose library the caller uses: their own; for an agent the parent's. */
export async function libraryOf({ db, actor }: Pick<Context<UserActor>, "db" | "actor">): Promise<number> {
  if (!actor.scope.isAgent) return actor.id;
  const agent = await db.user.findUnique({ where: { id: actor.id }, select: { parentUserId: true } });
  return agent?.parentUserId ?? actor.id;
}

/** Keeps deleted accounts and revoked tokens from adding files. Throws `unauthenticated`. */
export async function lockLibrary(tx: Context<UserActor>): Promise<number> {
  const library = await libraryOf(tx);
  await lockOwnAndOther(tx, library);
  if (library === tx.actor.id) return library;
  const parent = await tx.db.user.findUnique({ where: { id: library }, select: { isActive: true } });
  if (!parent?.isActive || (await libraryOf(tx)) !== library) throw refuse("unauthenticated");
  return library;
}

/** Quota of an owner without a verified address: one file of each kind at its limit fits. */
const UNVERIFIED_QUOTA_MB = 256;

export function quotaBytes({ actor }: Pick<Context<UserActor>, "actor">): number {
  const { MEDIA_QUOTA_MB } = env();
  return (actor.emailVerified ? MEDIA_QUOTA_MB : Math.min(UNVERIFIED_QUOTA_MB, MEDIA_QUOTA_MB)) * 1_048_576;
}

export async function usageOf(ctx: Pick<Context<UserActor>, "db" | "actor">, userId: number) {
  const usage = await ctx.db.mediaUsage.findUnique({ where: { userId } });
  return { used_bytes: Number(usage?.bytes ?? 0), quota_bytes: quotaBytes(ctx), files: usage?.files ?? 0 };
}
