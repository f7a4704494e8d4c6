import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { createError } from "@/server/core/errors";
import { toSeries, toSumLines } from "@/server/infrastructure/series/lines";
import { readSeriesRange } from "@/server/infrastructure/series/range";
import { type getSignInSeries, SIGN_IN_PERIODS } from "../contract";
import { countOwnSignIns, countTeamSignIns } from "../statements";

/** Hides entries from before the current owner took the account over, or before the member joined the team. */
export async function countSignInsOverTime(
  ctx: Context<UserActor>,
  { query }: Input<typeof getSignInSeries>,
): Promise<Output<typeof getSignInSeries>> {
  const { id: userId, scope } = ctx.actor;
  const isTeam = query.scope === "team";
  if (isTeam && scope.isAgent) throw createError("forbidden");
  const range = await readSeriesRange(ctx, query, { defaultPeriod: SIGN_IN_PERIODS[0] });
  const countSignIns = isTeam ? countTeamSignIns : countOwnSignIns;
  const rows = await countSignIns(ctx, { userId, limits: range.limits });
  return toSeries(range, toSumLines(range, rows, ["succeeded", "failed", "refused"]));
}
