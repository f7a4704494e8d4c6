import * as z from "zod";
import type { Context, UserActor } from "@/server/core/context";
import { invalidField } from "@/server/core/errors";
import { lazyValue } from "@/server/core/lazy-value";
import {
  MAX_SERIES_POINTS,
  type SeriesInterval,
  type SeriesPeriod,
  type SeriesQuery,
  type SeriesRangeFields,
} from "@/server/core/series";
import { DAY, toCanonicalZone, toIsoMicros } from "@/server/core/time";
import { RENAMED_ZONES, zoneOrDefault } from "@/server/core/zones";
import { statement } from "@/server/infrastructure/database/statement";
import type { DbAccess } from "@/server/infrastructure/database/transaction";

/** Intervals of a series, and of the period before. */
export interface SeriesRange {
  period: SeriesPeriod | null;
  interval: SeriesInterval;
  zone: string;
  /** Name of the zone for SQL: an older PostgreSQL may know it only by an earlier name. */
  databaseZone: string;
  starts: Date[];
  endsAt: Date;
  /** Ascending limits for `width_bucket`: of the period before, if it is compared, and of the period. */
  limits: Date[];
  /** Numbers that `width_bucket` returns for the intervals, in the order of `starts`. */
  buckets: number[];
  previous: PreviousPeriod | null;
}

interface PreviousPeriod {
  buckets: number[];
  /** Number of intervals up to the one that corresponds to the current interval, which ends where now is in that. */
  elapsedCount: number;
}

interface Span {
  /** Local time: the period begins at the start of this unit, minus `back`. */
  anchor: SeriesInterval;
  back: string;
  length: string;
  days: number;
}

const SPANS: Record<SeriesPeriod, Span> = {
  "24h": { anchor: "hour", back: "23 hours", length: "24 hours", days: 1 },
  "7d": { anchor: "day", back: "6 days", length: "7 days", days: 7 },
  "30d": { anchor: "day", back: "29 days", length: "30 days", days: 30 },
  "90d": { anchor: "day", back: "89 days", length: "90 days", days: 90 },
  "12m": { anchor: "month", back: "11 months", length: "12 months", days: 366 },
  next_7d: { anchor: "day", back: "0", length: "7 days", days: 7 },
  next_30d: { anchor: "day", back: "0", length: "30 days", days: 30 },
  next_12m: { anchor: "month", back: "0", length: "12 months", days: 366 },
};

const DAYS_PER_INTERVAL: Record<SeriesInterval, number> = { hour: 1 / 24, day: 1, week: 7, month: 28 };

/** Up to these lengths, values are by hour and by day; longer periods are by month. */
const HOURLY_DAYS = 2;
const DAILY_DAYS = 92;

interface RangeOptions {
  defaultPeriod: SeriesPeriod;
  /** Shortest interval of the stored data. */
  shortest?: SeriesInterval;
}

/** Computes the intervals in the caller's time zone. Throws field errors for a period that has too many. */
export async function readSeriesRange(
  ctx: Context<UserActor>,
  query: SeriesQuery,
  { defaultPeriod, shortest = "hour" }: RangeOptions,
): Promise<SeriesRange> {
  const { from, to } = query;
  const period = from || to ? null : (query.period ?? defaultPeriod);
  const span = period ? SPANS[period] : toSpan(from, to);
  const interval = query.interval ?? chooseInterval(span.days, shortest);
  if (span.days / DAYS_PER_INTERVAL[interval] > MAX_SERIES_POINTS)
    throw invalidField("interval", "series_points", { max: MAX_SERIES_POINTS });
  const zone = await findZone(ctx, query.time_zone);
  const databaseZone = await findDatabaseZone(ctx, zone);
  const [row] = await listIntervals(ctx, {
    ...span,
    zone: databaseZone,
    first: from ?? null,
    interval,
  });
  const { starts, previousStarts, endsAt, now } = row!;
  const common = { period, interval, zone, databaseZone, starts, endsAt };
  const periodLimits = [...starts, endsAt];
  if (query.compare !== "previous")
    return { ...common, limits: periodLimits, buckets: toNumbers(starts, 1), previous: null };
  const isAhead = period?.startsWith("next_");
  const { limits, previous } = toPreviousPeriod(previousStarts, periodLimits, isAhead ? endsAt : now);
  return {
    ...common,
    limits: [...limits, ...periodLimits],
    buckets: toNumbers(starts, limits.length + 1),
    previous,
  };
}

const toNumbers = (items: unknown[], first: number) => items.map((_, index) => first + index);

/** Splits the previous interval that corresponds to the current one, so a part is not compared with a whole. */
function toPreviousPeriod(previousStarts: Date[], periodLimits: Date[], now: Date) {
  const current = periodLimits.findIndex(
    (start, index) => start <= now && now < (periodLimits[index + 1] ?? start),
  );
  if (current < 0) {
    const previous = { buckets: toNumbers(previousStarts, 1), elapsedCount: previousStarts.length };
    return { limits: previousStarts, previous };
  }
  const elapsedMs = now.getTime() - periodLimits[current]!.getTime();
  const end = previousStarts[current + 1] ?? periodLimits[0]!;
  const cut = new Date(Math.min(previousStarts[current]!.getTime() + elapsedMs, end.getTime()));
  const limits = previousStarts.toSpliced(current + 1, 0, cut);
  const buckets = previousStarts.map((_, index) => (index <= current ? index + 1 : index + 2));
  return { limits, previous: { buckets, elapsedCount: current + 1 } };
}

function toSpan(from: string | null | undefined, to: string | null | undefined): Span {
  if (!from) throw invalidField("from", "required");
  if (!to) throw invalidField("to", "required");
  const days = (Date.parse(to) - Date.parse(from)) / DAY + 1;
  if (days < 1) throw invalidField("to", "day_order");
  return { anchor: "day", back: "0", length: `${days} days`, days };
}

function chooseInterval(days: number, shortest: SeriesInterval): SeriesInterval {
  const interval = days <= HOURLY_DAYS ? "hour" : days <= DAILY_DAYS ? "day" : "month";
  return DAYS_PER_INTERVAL[interval] < DAYS_PER_INTERVAL[shortest] ? shortest : interval;
}

async function findZone(ctx: Context<UserActor>, requestedZone: string | null | undefined): Promise<string> {
  if (requestedZone) {
    const zone = toCanonicalZone(requestedZone);
    if (!zone) throw invalidField("time_zone", "timezone");
    return zone;
  }
  const account = await ctx.db.user.findUnique({ where: { id: ctx.actor.id }, select: { timezone: true } });
  return zoneOrDefault(account?.timezone);
}

const databaseZones = lazyValue(() => new Map<string, string>());

/** Returns the name that this PostgreSQL knows: older and newer releases lack one name of a renamed zone. */
async function findDatabaseZone(ctx: DbAccess, zone: string): Promise<string> {
  const known = databaseZones().get(zone);
  if (known) return known;
  const olderName = Object.keys(RENAMED_ZONES).find((name) => RENAMED_ZONES[name] === zone);
  const [row] = await findKnownZone(ctx, { names: [zone, olderName ?? RENAMED_ZONES[zone] ?? zone] });
  if (!row) throw invalidField("time_zone", "timezone");
  databaseZones().set(zone, row.name);
  return row.name;
}

/** Reading all zones takes PostgreSQL some 20 ms, so the result is cached. */
const findKnownZone = statement(z.strictObject({ name: z.string() }))<{ names: string[] }>`
  select name from pg_timezone_names where name = any(${({ names }) => names}::text[])
   order by array_position(${({ names }) => names}::text[], name) limit 1`;

interface IntervalParams extends Span {
  zone: string;
  first: string | null;
  interval: SeriesInterval;
}

const Intervals = z.strictObject({
  starts: z.array(z.date()),
  previousStarts: z.array(z.date()),
  endsAt: z.date(),
  now: z.date(),
});

/**
 * Days, weeks and months are counted in local time and hours in absolute time, so a day has 23 or 25 of them when
 * the clocks change. The period before has the same starts, moved by its length in local time.
 */
const listIntervals = statement(Intervals)<IntervalParams>`
  with beginning as (
         select coalesce(${({ first }) => first}::timestamp,
                         date_trunc(${({ anchor }) => anchor}, now() at time zone ${({ zone }) => zone})
                           - ${({ back }) => back}::interval) as first),
       span as (select first, first + ${({ length }) => length}::interval as until from beginning),
       local_start as (
         select first as at from span
          union
         select at from span, generate_series(
                date_trunc(${({ interval }) => interval}, first), until - interval '1 microsecond',
                ('1 ' || ${({ interval }) => interval}::text)::interval) as at
          where at > first and ${({ interval }) => interval} <> 'hour'),
       start as (
         select at at time zone ${({ zone }) => zone} as at, at as local from local_start
          union
         select at, at at time zone ${({ zone }) => zone} from span, generate_series(
                first at time zone ${({ zone }) => zone},
                until at time zone ${({ zone }) => zone} - interval '1 microsecond', interval '1 hour') as at
          where ${({ interval }) => interval} = 'hour')
  select array_agg(at order by at) as starts,
         array_agg((local - ${({ length }) => length}::interval) at time zone ${({ zone }) => zone} order by at) as "previousStarts",
         (select until at time zone ${({ zone }) => zone} from span) as "endsAt",
         now() as now
    from start`;

/** Fields of the range as the contract has them. */
export function toRangeFields({ period, interval, zone, starts, endsAt }: SeriesRange): SeriesRangeFields {
  return {
    period,
    interval,
    time_zone: zone,
    starts: starts.map((start) => toIsoMicros(start)),
    ends_at: toIsoMicros(endsAt),
  };
}
