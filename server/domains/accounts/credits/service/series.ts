import { type Context, requireAdministrator, type UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { createNotFoundError } from "@/server/core/errors";
import { DAY, fromNow, toIsoMicros } from "@/server/core/time";
import { toLevelLine, toSeries, toSumLine, toSumLines } from "@/server/infrastructure/series/lines";
import { readSeriesRange } from "@/server/infrastructure/series/range";
import {
  CREDIT_PERIODS,
  type getCreditSeries,
  type getUsageSeries,
  type getUserCreditSeries,
  PROJECTION_BASE_DAYS,
  PROJECTION_DAYS_MAX,
  USAGE_PERIODS,
} from "../contract";
import { readRecentUse, sumCreditEntries, sumUsageMonths } from "../statements";

type CreditSeries = Output<typeof getCreditSeries>;

export function readOwnCreditSeries(
  ctx: Context<UserActor>,
  { query }: Input<typeof getCreditSeries>,
): Promise<CreditSeries> {
  return readCreditSeries(ctx, ctx.actor.id, query);
}

export function readCreditSeriesOfAccount(
  ctx: Context<UserActor>,
  { params, query }: Input<typeof getUserCreditSeries>,
): Promise<CreditSeries> {
  requireAdministrator(ctx.actor);
  return readCreditSeries(ctx, params.id, query);
}

async function readCreditSeries(
  ctx: Context<UserActor>,
  userId: number,
  query: Input<typeof getCreditSeries>["query"],
): Promise<CreditSeries> {
  const range = await readSeriesRange(ctx, query, { defaultPeriod: CREDIT_PERIODS[0] });
  const user = await ctx.db.user.findUnique({ where: { id: userId }, select: { credits: true } });
  if (!user) throw createNotFoundError("User", userId);
  const rows = await sumCreditEntries(ctx, { userId, limits: range.limits });
  const opening = rows.find(({ bucket }) => bucket === 0)?.change ?? 0;
  return toSeries(
    range,
    [
      toLevelLine(range, rows, "change", { key: "balance", unit: "credits", opening }),
      ...toSumLines(range, rows, ["used", "added", "deducted"], "credits"),
    ],
    { projection: await projectEnd(ctx, userId, user.credits) },
  );
}

async function projectEnd(
  ctx: Context<UserActor>,
  userId: number,
  balance: number,
): Promise<CreditSeries["data"]["projection"]> {
  const [recent] = await readRecentUse(ctx, { userId, days: PROJECTION_BASE_DAYS });
  if (!recent || recent.used <= 0 || balance <= 0) return null;
  const dailyUse = recent.used / recent.days;
  const daysLeft = balance / dailyUse;
  if (daysLeft > PROJECTION_DAYS_MAX) return null;
  return { daily_use: Math.round(dailyUse * 100) / 100, ends_at: toIsoMicros(fromNow(daysLeft * DAY)) };
}

export async function readUsageSeries(
  ctx: Context<UserActor>,
  { query }: Input<typeof getUsageSeries>,
): Promise<Output<typeof getUsageSeries>> {
  const range = await readSeriesRange(ctx, query, { defaultPeriod: USAGE_PERIODS[0], shortest: "month" });
  const { databaseZone: zone, limits } = range;
  const rows = await sumUsageMonths(ctx, { userId: ctx.actor.id, zone, limits });
  return toSeries(range, [
    ...toSumLines(range, rows, ["messages_sent", "ai_calls"]),
    toSumLine(range, rows, "voice_minutes", { key: "voice_minutes", unit: "minutes" }),
  ]);
}
