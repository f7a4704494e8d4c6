import type { SeriesPeriod } from "@/server/core/series";
import type { SeriesView } from "./series-view";
import type { Series } from "./types";

/** False while nothing has happened in the default period. A chart of another period stays, with its picker. */
export function shouldShowChart(
  { lines }: Series,
  { period, isCompared }: SeriesView,
  [defaultPeriod]: readonly SeriesPeriod[],
): boolean {
  const isDefault = period === defaultPeriod && isCompared;
  return !isDefault || lines.some(({ total, previous_total }) => total || previous_total);
}
