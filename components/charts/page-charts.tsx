import { clsx } from "clsx";
import type { SearchParams } from "nuqs/server";
import type { ReactNode } from "react";
import type { SeriesPeriod } from "@/server/core/series";
import { PeriodPicker } from "./period-picker";
import type { SeriesView } from "./series-view";
import type { Series } from "./types";

interface PageChartsProps {
  path: string;
  searchParams: SearchParams;
  view: SeriesView;
  periods: readonly SeriesPeriod[];
  hasDates?: boolean;
  hasComparison?: boolean;
  /** Series of the charts: without a figure and a chosen period, there is nothing to show yet. */
  series: readonly Series[];
  /** False if the figures are not worth a chart yet. */
  isWorthShowing?: boolean;
  /** False in a container that has gaps. */
  hasMargin?: boolean;
  children: ReactNode;
}

const PERIOD_PARAMETERS = ["period", "since", "until", "compare"];

/** Charts of a page below the picker of their period; nothing while there are no figures yet. */
export function PageCharts({
  series,
  isWorthShowing = series.some(hasFigures),
  hasMargin = true,
  children,
  ...picker
}: PageChartsProps) {
  const isChosen = PERIOD_PARAMETERS.some((name) => picker.searchParams[name] !== undefined);
  if (!isChosen && !isWorthShowing) return null;
  return (
    <div className={clsx("flex flex-col gap-3", hasMargin && "mb-6")}>
      <PeriodPicker {...picker} />
      <div className="grid items-start gap-6 xl:grid-cols-[repeat(auto-fit,minmax(26rem,1fr))]">
        {children}
      </div>
    </div>
  );
}

export const hasFigures = ({ lines }: Series) =>
  lines.some(({ values, previous_values }) => [...values, ...(previous_values ?? [])].some((value) => value));
