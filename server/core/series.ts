import * as z from "zod";
import * as f from "./field";
import { day, timestamp, timezone } from "./schema";

/* Contract of all time series: the same query and the same body, so one chart draws each of them. */

export const SERIES_INTERVALS = ["hour", "day", "week", "month"] as const;
export type SeriesInterval = (typeof SERIES_INTERVALS)[number];

export const PAST_PERIODS = ["24h", "7d", "30d", "90d", "12m"] as const;
export const NEXT_PERIODS = ["next_7d", "next_30d", "next_12m"] as const;
export type SeriesPeriod = (typeof PAST_PERIODS)[number] | (typeof NEXT_PERIODS)[number];

/** Maximum number of values per line. */
export const MAX_SERIES_POINTS = 400;

const SERIES_UNITS = ["count", "credits", "minutes", "minor", "milliseconds"] as const;
export type SeriesUnit = (typeof SERIES_UNITS)[number];

interface SeriesQueryOptions<P extends readonly [SeriesPeriod, ...SeriesPeriod[]], I, F> {
  /** The first is the default. */
  periods: P;
  /** Intervals that the stored data allows; all when omitted. */
  intervals?: I;
  filters?: F;
}

/** Query of a series: a period by name or by dates, its interval, a comparison and a time zone. */
export function seriesQuery<
  const P extends readonly [SeriesPeriod, ...SeriesPeriod[]],
  const I extends readonly [SeriesInterval, ...SeriesInterval[]] = typeof SERIES_INTERVALS,
  F extends z.core.$ZodLooseShape = Record<never, never>,
>({ periods, intervals, filters }: SeriesQueryOptions<P, I, F>) {
  return z.object({
    period: f.nullish(
      z.enum(periods),
      `Period that ends with the current hour, day or month, or for \`next_\` begins with it. Default: \`${periods[0]}\`.`,
      periods[0] as never,
    ),
    from: day
      .nullish()
      .meta({ description: "First day of a period of its own; needs `to` and replaces `period`." }),
    to: day.nullish().meta({ description: "Last day of the period, included.", example: "2027-11-26" }),
    interval: f.nullish(
      z.enum((intervals ?? SERIES_INTERVALS) as I),
      `Time between two values. Default: the shortest that suits the period. At most ${MAX_SERIES_POINTS} values.`,
      (intervals ?? SERIES_INTERVALS).at(-1) as never,
    ),
    compare: f.nullish(
      z.enum(["previous"]),
      "`previous` adds the values of the period before. Its interval that corresponds to the current one ends where now is in that.",
      "previous",
    ),
    time_zone: timezone.nullish().meta({
      description:
        "IANA time zone of days, weeks (from Monday) and months. Default: the account's, else `Europe/Istanbul`.",
    }),
    ...(filters as F),
  });
}

export interface SeriesQuery {
  period?: SeriesPeriod | null;
  from?: string | null;
  to?: string | null;
  interval?: SeriesInterval | null;
  compare?: "previous" | null;
  time_zone?: string | null;
}

const value = z.number().nullable().meta({ example: 42 });

const lineFields = {
  unit: f.oneOf(
    SERIES_UNITS,
    "Unit of the values. `minor`: hundredths of the currency, such as kuruş.",
    "count",
  ),
  is_level: f.boolean(
    "True for a level, such as a balance: its values are those at the end of each interval and its total is the last one. " +
      "False: values add up to the total, or, for a quantile, the total covers the whole period.",
    false,
  ),
  total: f.nullable(value, "Total of the period; null if unknown.", 42),
  previous_total: f.nullable(
    value,
    "Total of the period before, up to the time that corresponds to now; null without `compare`.",
    31,
  ),
  values: f.list(value, "A value per entry of `starts`; null if unknown.", [42, 0]),
  previous_values: f.nullable(
    z.array(value),
    "A value of the period before per entry of `starts`; null without `compare`.",
    [31, 0],
  ),
};

const rangeFields = {
  period: f.nullable(z.string(), "Name of the period; null for dates.", "7d"),
  interval: f.oneOf(SERIES_INTERVALS, "Time between two values.", "day"),
  time_zone: f.text("IANA time zone of the intervals.", "Europe/Istanbul"),
  starts: f.list(timestamp, "Start of each interval, oldest first.", [
    "2027-11-19T21:00:00.000000Z",
    "2027-11-20T21:00:00.000000Z",
  ]),
  ends_at: timestamp.meta({
    description: "End of the last interval.",
    example: "2027-11-21T21:00:00.000000Z",
  }),
};

export type SeriesLine = z.output<z.ZodObject<typeof lineFields>>;
export type SeriesRangeFields = z.output<z.ZodObject<typeof rangeFields>>;

/** Series whose lines are fixed: `lines` describes each key. */
export function series<const K extends string, F extends z.core.$ZodLooseShape = Record<never, never>>(
  id: string,
  description: string,
  lines: Record<K, string>,
  extraFields: F = {} as F,
) {
  const keys = Object.keys(lines) as [K, ...K[]];
  const meanings = keys.map((key) => `\`${key}\`: ${lines[key]}`).join(" ");
  return f.namedObject(id, description, {
    ...rangeFields,
    lines: f.list(
      f.namedObject(`${id}Line`, "A line of the series.", {
        key: f.oneOf(keys, `Line of the series. ${meanings}`, keys[0]),
        ...lineFields,
      }),
      "Lines, always all of them.",
    ),
    ...extraFields,
  });
}

/** Series with a line for each record found, such as for each plan. */
export function seriesByName(id: string, description: string, keyDescription: string, example: string) {
  return f.namedObject(id, description, {
    ...rangeFields,
    lines: f.list(
      f.namedObject(`${id}Line`, "A line of the series.", {
        key: f.text(keyDescription, example),
        currency: f.nullable(z.string(), "Currency of amounts; null for other units.", "TRY"),
        ...lineFields,
      }),
      "Lines, largest total first.",
    ),
  });
}
