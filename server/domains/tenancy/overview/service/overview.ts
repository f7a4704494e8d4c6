import type { Context, UserActor } from "@/server/core/context";
import { requireAdministrator } from "@/server/core/context";
import type { Output } from "@/server/core/contract";
import { amountOf } from "@/server/core/money";
import type { getOverview } from "../contract";
import { countMonth, countWaiting } from "../statements";

export async function get(ctx: Context<UserActor>): Promise<Output<typeof getOverview>> {
  requireAdministrator(ctx.actor);
  const [[waiting], [month]] = await Promise.all([countWaiting(ctx), countMonth(ctx)]);
  const { revenueMinor, ...counts } = month!;
  return { success: true, overview: waiting!, month: { ...counts, revenue: amountOf(revenueMinor) } };
}
