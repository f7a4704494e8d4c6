import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { countCallsOverTime } from "@/server/domains/accounts/key-use/service/series";
import { toSeries, toSumLine, toSumLines } from "@/server/infrastructure/series/lines";
import { readSeriesRange } from "@/server/infrastructure/series/range";
import { type getKeySeries, KEY_PERIODS } from "../contract";
import { requireOwnKey } from "./keys";

export async function countOwnCallsOverTime(
  ctx: Context<UserActor>,
  { query }: Input<typeof getKeySeries>,
): Promise<Output<typeof getKeySeries>> {
  const tokenId = query.token_id ?? null;
  if (tokenId) await requireOwnKey(ctx, tokenId);
  const range = await readSeriesRange(ctx, query, { defaultPeriod: KEY_PERIODS[0] });
  const rows = await countCallsOverTime(ctx, tokenId, range);
  const totals = new Map<number, { bucket: number; succeeded: number; errors: number }>();
  const rowsByKey = new Map<number, { bucket: number; calls: number }[]>();
  for (const { bucket, tokenId: id, succeeded, errors } of rows) {
    const total = totals.get(bucket) ?? { bucket, succeeded: 0, errors: 0 };
    totals.set(bucket, {
      bucket,
      succeeded: total.succeeded + succeeded,
      errors: total.errors + errors,
    });
    const keyRows = rowsByKey.get(id) ?? [];
    keyRows.push({ bucket, calls: succeeded + errors });
    rowsByKey.set(id, keyRows);
  }
  const keys = [...rowsByKey]
    .map(([id, keyRows]) => ({ id, ...toSumLine(range, keyRows, "calls", { key: "calls" }) }))
    .filter(({ total }) => total > 0)
    .toSorted((one, other) => other.total - one.total)
    .map(({ id, values }) => ({ id, calls: values }));
  return toSeries(range, toSumLines(range, [...totals.values()], ["succeeded", "errors"]), { keys });
}
