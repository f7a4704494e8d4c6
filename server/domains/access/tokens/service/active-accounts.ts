import { type Context, requireAdministrator, type UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { type SeriesPart, selectRows, toSeries, toValueLine } from "@/server/infrastructure/series/lines";
import { readSeriesRange } from "@/server/infrastructure/series/range";
import { ACTIVE_ACCOUNT_PERIODS, type getActiveAccountSeries } from "../contract";
import { listLastActivitySamples } from "../statements";

export async function listActiveAccountsOverTime(
  ctx: Context<UserActor>,
  { query }: Input<typeof getActiveAccountSeries>,
): Promise<Output<typeof getActiveAccountSeries>> {
  requireAdministrator(ctx.actor);
  const range = await readSeriesRange(ctx, query, { defaultPeriod: ACTIVE_ACCOUNT_PERIODS[0] });
  const samples = await listLastActivitySamples(ctx, range);
  const byBucket = new Map(samples.map(({ bucket, accounts }) => [bucket, accounts]));
  const getLast = (part: SeriesPart) => selectRows(range, samples, part).at(-1)?.accounts ?? null;
  return toSeries(range, [
    toValueLine(range, (bucket) => byBucket.get(bucket) ?? null, {
      key: "active",
      unit: "count",
      isLevel: true,
      totals: { current: getLast("current"), previous: getLast("previous") },
    }),
  ]);
}
