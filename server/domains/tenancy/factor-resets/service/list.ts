import type { Context, UserActor } from "@/server/core/context";
import { requireAdministrator } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { getSetting } from "@/server/infrastructure/settings";
import type { listFactorResets } from "../contract";
import { RESET_SELECT, toFactorReset } from "../dto";

export async function listResets(
  ctx: Context<UserActor>,
  { query: { user_id } }: Input<typeof listFactorResets>,
): Promise<Output<typeof listFactorResets>> {
  requireAdministrator(ctx.actor);
  const needsTwoAdministrators = await getSetting(ctx, "two_administrators");
  const rows = await ctx.db.adminAction.findMany({
    where: { kind: "reset_two_factor", ...(user_id ? { targetId: user_id } : { state: "waiting" }) },
    orderBy: user_id ? { id: "desc" } : [{ runAt: "asc" }, { id: "asc" }],
    take: user_id ? 20 : 200,
    select: RESET_SELECT,
  });
  const resets = rows.map((row) => toFactorReset(row, needsTwoAdministrators));
  return { success: true, resets, data: resets, count: resets.length };
}
