import type { Context, UserActor } from "@/server/core/context";
import { requireAdministrator } from "@/server/core/context";
import type { Output } from "@/server/core/contract";
import { toAmount } from "@/server/core/money";
import type { getOverview } from "../contract";
import { countOpenTasks, readLastMonthFigures } from "../statements";

export async function readOverview(ctx: Context<UserActor>): Promise<Output<typeof getOverview>> {
  requireAdministrator(ctx.actor);
  const [[openTasks], [month]] = await Promise.all([countOpenTasks(ctx), readLastMonthFigures(ctx)]);
  const { revenueMinor, ...counts } = month!;
  return { success: true, overview: openTasks!, month: { ...counts, revenue: toAmount(revenueMinor) } };
}
