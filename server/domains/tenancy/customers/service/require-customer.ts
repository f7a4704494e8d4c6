import type { Context, UserActor } from "@/server/core/context";
import { createInaccessibleError } from "@/server/core/errors";
import { requireSignedReseller } from "@/server/domains/accounts/portals/service/access";

/** Throws unless the account is the caller's customer: 403 for another's, 404 if missing. */
export async function requireCustomer(ctx: Context<UserActor>, id: number): Promise<void> {
  await requireSignedReseller(ctx);
  const user = await ctx.db.user.findUnique({
    where: { id, anonymisedAt: null },
    select: { resellerId: true },
  });
  if (user?.resellerId !== ctx.actor.id) throw createInaccessibleError(user, "User", id);
}
