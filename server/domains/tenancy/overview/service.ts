import type { Context, UserActor } from "@/server/core/context";
import type { Output } from "@/server/core/contract";
import { requireAdministrator } from "@/server/domains/accounts/users/service/administrator";
import type { getOverview } from "./contract";
import { countWaiting } from "./statements";

/** Counts what waits for an administrator. Administrators only. */
export async function get(ctx: Context<UserActor>): Promise<Output<typeof getOverview>> {
  requireAdministrator(ctx.actor);
  const [found] = await countWaiting(ctx);
  return { success: true, overview: found! };
}
