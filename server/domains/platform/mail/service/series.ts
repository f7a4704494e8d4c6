import { type Context, requireAdministrator, type UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { toSeries, toSumLines } from "@/server/infrastructure/series/lines";
import { readSeriesRange } from "@/server/infrastructure/series/range";
import { type getMailSeries, MAIL_PERIODS } from "../contract";
import { countMailsByState } from "../statements";

export async function countMailsOverTime(
  ctx: Context<UserActor>,
  { query }: Input<typeof getMailSeries>,
): Promise<Output<typeof getMailSeries>> {
  requireAdministrator(ctx.actor);
  const range = await readSeriesRange(ctx, query, { defaultPeriod: MAIL_PERIODS[0] });
  return toSeries(
    range,
    toSumLines(range, await countMailsByState(ctx, range), ["sent", "queued", "failed"]),
  );
}
