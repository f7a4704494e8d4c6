import type { Context, UserActor } from "@/server/core/context";
import { outOfReach } from "@/server/core/errors";
import { requireReseller } from "@/server/domains/accounts/portals/service/access";

/**
 * Throws unless the caller is a signed reseller and the account its customer: 403 for another's, 404 if
 * missing.
 */
export async function requireCustomer(ctx: Context<UserActor>, id: number): Promise<void> {
  await requireReseller(ctx);
  const found = await ctx.db.user.findUnique({
    where: { id, anonymisedAt: null },
    select: { resellerId: true },
  });
  if (found?.resellerId !== ctx.actor.id) throw outOfReach(found, "User", id);
}
