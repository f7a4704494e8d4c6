import { createLoader, parseAsIsoDate, parseAsStringLiteral, type SearchParams } from "nuqs/server";
import type { SeriesPeriod } from "@/server/core/series";

/** Period and comparison of a page's charts, from its address. */
export interface SeriesView<P extends SeriesPeriod = SeriesPeriod> {
  /** Null for a period by dates. */
  period: P | null;
  since: string | null;
  until: string | null;
  isCompared: boolean;
  /** Input of a series operation. */
  query: { period?: P; from?: string; to?: string; compare?: "previous" };
}

/** Reads period and comparison from the address. The first period is the default. */
export async function readSeriesView<const P extends readonly [SeriesPeriod, ...SeriesPeriod[]]>(
  searchParams: SearchParams | Promise<SearchParams>,
  periods: P,
): Promise<SeriesView<P[number]>> {
  const load = createLoader({
    period: parseAsStringLiteral(periods as readonly P[number][]),
    compare: parseAsStringLiteral(["none"]),
    since: parseAsIsoDate,
    until: parseAsIsoDate,
  });
  const { period, compare, since, until } = await load(Promise.resolve(searchParams));
  const compared = compare === null ? { compare: "previous" as const } : {};
  if (since && until && since <= until) {
    const [from, to] = [since, until].map((date) => date.toISOString().slice(0, 10)) as [string, string];
    return {
      period: null,
      since: from,
      until: to,
      isCompared: compare === null,
      query: { from, to, ...compared },
    };
  }
  const chosen = period ?? periods[0];
  return {
    period: chosen,
    since: null,
    until: null,
    isCompared: compare === null,
    query: { period: chosen, ...compared },
  };
}
