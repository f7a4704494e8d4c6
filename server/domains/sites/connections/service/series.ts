import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { toSeries, toSumLines } from "@/server/infrastructure/series/lines";
import { readSeriesRange } from "@/server/infrastructure/series/range";
import { CONNECTION_PERIODS, type getConnectionSeries } from "../contract";
import {
  countAllChecks,
  countChecksInScope,
  countChecksOfConnection,
  countChecksOfSite,
} from "../statements";
import { requireVisibleConnection } from "./list";

export async function countChecksOverTime(
  ctx: Context<UserActor>,
  { query }: Input<typeof getConnectionSeries>,
): Promise<Output<typeof getConnectionSeries>> {
  const connectionId = query.connection_id ?? null;
  if (connectionId) await requireVisibleConnection(ctx, connectionId);
  const range = await readSeriesRange(ctx, query, { defaultPeriod: CONNECTION_PERIODS[0] });
  const { limits } = range;
  const { userId, role, onlySiteId } = ctx.actor.scope;
  const rows = connectionId
    ? await countChecksOfConnection(ctx, { connectionId, limits })
    : onlySiteId !== null
      ? await countChecksOfSite(ctx, { siteId: onlySiteId, limits })
      : role === "admin"
        ? await countAllChecks(ctx, { limits })
        : await countChecksInScope(ctx, { userId, isReseller: role === "reseller", limits });
  return toSeries(range, toSumLines(range, rows, ["ok", "unreachable", "dead"]));
}
