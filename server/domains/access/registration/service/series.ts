import { type Context, requireAdministrator, type UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { toSeries, toSumLine } from "@/server/infrastructure/series/lines";
import { readSeriesRange } from "@/server/infrastructure/series/range";
import { type getSignUpSeries, SIGN_UP_PERIODS } from "../contract";
import { countRefusals, countSignUps } from "../statements";

export async function countSignUpsOverTime(
  ctx: Context<UserActor>,
  { query }: Input<typeof getSignUpSeries>,
): Promise<Output<typeof getSignUpSeries>> {
  requireAdministrator(ctx.actor);
  const range = await readSeriesRange(ctx, query, { defaultPeriod: SIGN_UP_PERIODS[0] });
  const [signUps, refusals] = await Promise.all([countSignUps(ctx, range), countRefusals(ctx, range)]);
  return toSeries(range, [
    toSumLine(range, signUps, "count", { key: "signed_up" }),
    toSumLine(range, refusals, "count", { key: "refused" }),
  ]);
}
