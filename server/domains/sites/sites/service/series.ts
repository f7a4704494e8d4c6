import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { createError } from "@/server/core/errors";
import { toLevelLine, toSeries, toSumLine } from "@/server/infrastructure/series/lines";
import { readSeriesRange } from "@/server/infrastructure/series/range";
import { type getSiteSeries, SITE_PERIODS } from "../contract";
import { sumAllSiteChanges, sumOwnSiteChanges, sumResellerSiteChanges } from "../statements";

const SUMS_BY_ROLE = { admin: sumAllSiteChanges, reseller: sumResellerSiteChanges, user: sumOwnSiteChanges };

/** Changes belong to accounts, not to sites, so callers who are limited to one site are refused. */
export async function countSitesOverTime(
  ctx: Context<UserActor>,
  { query }: Input<typeof getSiteSeries>,
): Promise<Output<typeof getSiteSeries>> {
  const { role, userId, onlySiteId, isAgent } = ctx.actor.scope;
  if (isAgent || onlySiteId !== null) throw createError("forbidden");
  const range = await readSeriesRange(ctx, query, { defaultPeriod: SITE_PERIODS[0] });
  const rows = await SUMS_BY_ROLE[role](ctx, { userId, limits: range.limits });
  const opening = rows.find(({ bucket }) => bucket === 0);
  return toSeries(range, [
    toSumLine(range, rows, "created", { key: "created" }),
    toLevelLine(range, rows, "active", { key: "active", opening: opening?.active ?? 0 }),
    toLevelLine(range, rows, "suspended", { key: "suspended", opening: opening?.suspended ?? 0 }),
  ]);
}
