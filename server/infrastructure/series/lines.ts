import type { SeriesLine, SeriesUnit } from "@/server/core/series";
import { Fragment, sqlPart } from "@/server/infrastructure/database/statement";
import { type SeriesRange, toRangeFields } from "./range";

/*
 * A statement returns rows by number of the interval, and the functions below turn them into lines without gaps. Small
 * tables are read once and grouped by `bucketSql`. Large ones with an index by owner and time are counted once per row of
 * `intervalsSql`, which reads only the index.
 */

interface LimitParams {
  limits: Date[];
}

/** Number of the interval of a column: 1 is the first of `SeriesRange.limits`. */
export const bucketSql = (column: string) =>
  sqlPart<LimitParams>`width_bucket(${new Fragment(column)}, ${({ limits }) => limits}::timestamptz[])`;

/** Intervals as rows `i`: `bucket`, `at` and `until`. */
export const intervalsSql = sqlPart<LimitParams>`
    (select at, until, bucket::int
       from unnest(${({ limits }) => limits.slice(0, -1)}::timestamptz[], ${({ limits }) => limits.slice(1)}::timestamptz[])
            with ordinality as each(at, until, bucket)) i`;

/** Condition that a column is within the limits. */
export const inLimitsSql = (
  column: string,
) => sqlPart<LimitParams>`(${new Fragment(column)} >= ${({ limits }) => limits[0]}::timestamptz
    and ${new Fragment(column)} < ${({ limits }) => limits.at(-1)}::timestamptz)`;

/** Row of a statement: figures of one interval. Intervals without rows are empty. */
export type BucketRow<K extends string> = { bucket: number } & Record<K, number>;

type Values = (number | null)[];

/** Returns the figures of the intervals of both periods. */
function splitFigures<T>({ buckets, previous }: SeriesRange, byBucket: (bucket: number) => T) {
  return { current: buckets.map(byBucket), previous: previous?.buckets.map(byBucket) ?? null };
}

/** Total of the period before, up to the time that corresponds to now. */
const addElapsed = ({ previous }: SeriesRange, values: number[] | null) =>
  values && previous && add(values.slice(0, previous.elapsedCount));

const add = (values: number[]) => values.reduce((sum, value) => sum + value, 0);

/** Line of numbers that add up; 0 without rows. */
export function toSumLine<K extends string, Key extends string>(
  range: SeriesRange,
  rows: readonly BucketRow<K>[],
  column: K,
  { key, unit = "count" }: { key: Key; unit?: SeriesUnit },
) {
  const figures = new Map(rows.map((row) => [row.bucket, row[column] as number]));
  const { current, previous } = splitFigures(range, (bucket) => figures.get(bucket) ?? 0);
  return {
    key,
    unit,
    is_level: false,
    total: add(current),
    previous_total: addElapsed(range, previous),
    values: current,
    previous_values: previous,
  } satisfies SeriesLine & { key: Key };
}

/** Lines of numbers that add up, one per column, with the column's name as key. */
export function toSumLines<K extends string>(
  range: SeriesRange,
  rows: readonly BucketRow<K>[],
  columns: readonly K[],
  unit: SeriesUnit = "count",
) {
  return columns.map((column) => toSumLine(range, rows, column, { key: column, unit }));
}

/** Line of a level that changes by the figures in `column`; `opening` is the level before the first limit. */
export function toLevelLine<K extends string, Key extends string>(
  range: SeriesRange,
  rows: readonly BucketRow<K>[],
  column: K,
  { key, unit = "count", opening }: { key: Key; unit?: SeriesUnit; opening: number },
) {
  const changes = new Map(rows.map((row) => [row.bucket, row[column] as number]));
  let level = opening;
  const levels = range.limits.map((_, index) => {
    level += changes.get(index + 1) ?? 0;
    return level;
  });
  return toValueLine(range, (bucket) => levels[bucket - 1]!, { key, unit, isLevel: true });
}

/** Line of values that do not add up, such as quantiles; `totals` are those of the whole periods. */
export function toValueLine<Key extends string>(
  range: SeriesRange,
  byBucket: (bucket: number) => number | null,
  {
    key,
    unit,
    isLevel = false,
    totals,
  }: {
    key: Key;
    unit: SeriesUnit;
    isLevel?: boolean;
    totals?: { current: number | null; previous: number | null };
  },
) {
  const { current, previous }: { current: Values; previous: Values | null } = splitFigures(range, byBucket);
  return {
    key,
    unit,
    is_level: isLevel,
    total: totals ? totals.current : (current.at(-1) ?? null),
    previous_total:
      previous && (totals ? totals.previous : (previous[range.previous!.elapsedCount - 1] ?? null)),
    values: current,
    previous_values: previous,
  } satisfies SeriesLine & { key: Key };
}

export type SeriesPart = "current" | "previous";

/** Rows of the period, or of the one before up to the time that corresponds to now. */
export function selectRows<Row extends { bucket: number }>(
  { buckets, previous }: SeriesRange,
  rows: readonly Row[],
  part: SeriesPart,
): Row[] {
  const numbers = new Set(part === "current" ? buckets : previous?.buckets.slice(0, previous.elapsedCount));
  return rows.filter(({ bucket }) => numbers.has(bucket));
}

export function toSeries<Line, Extra extends object = Record<never, never>>(
  range: SeriesRange,
  lines: Line[],
  extra: Extra = {} as Extra,
) {
  return { success: true as const, data: { ...toRangeFields(range), lines, ...extra } };
}
