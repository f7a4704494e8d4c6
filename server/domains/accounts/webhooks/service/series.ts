import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { toSeries, toSumLines } from "@/server/infrastructure/series/lines";
import { readSeriesRange } from "@/server/infrastructure/series/range";
import { type getWebhookSeries, WEBHOOK_PERIODS } from "../contract";
import { countDeliveriesByState } from "../statements";
import { requireOwnEndpoint } from "./find";

export async function countDeliveriesOverTime(
  ctx: Context<UserActor>,
  { query }: Input<typeof getWebhookSeries>,
): Promise<Output<typeof getWebhookSeries>> {
  const endpointId = query.webhook_id ?? null;
  if (endpointId) await requireOwnEndpoint(ctx, endpointId);
  const range = await readSeriesRange(ctx, query, { defaultPeriod: WEBHOOK_PERIODS[0] });
  const rows = await countDeliveriesByState(ctx, { userId: ctx.actor.id, endpointId, limits: range.limits });
  return toSeries(range, toSumLines(range, rows, ["delivered", "retried", "waiting", "failed"]));
}
