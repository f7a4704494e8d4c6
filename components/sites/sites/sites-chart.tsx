import { useTranslations } from "next-intl";
import { ChartCard } from "@/components/charts/chart-card";
import type { Series } from "@/components/charts/types";

const findLine = (series: Series, key: string) => series.lines.find((line) => line.key === key)!;

/** Highest number of sites at the end of an interval, or the number created. */
export function countSitesOfPeriod(series: Series): number {
  const [active, suspended] = [findLine(series, "active"), findLine(series, "suspended")];
  const levels = active.values.map((value, index) => (value ?? 0) + (suspended.values[index] ?? 0));
  return Math.max(findLine(series, "created").total ?? 0, ...levels);
}

/** Active and suspended sites. */
export function SitesChart({ series }: { series: Series }) {
  const t = useTranslations("charts.sites");
  return (
    <ChartCard
      finding={t("finding", { count: findLine(series, "active").total ?? 0 })}
      question={t("question")}
      series={series}
      kind="stack"
      name="sites"
      lines={[
        { key: "active", label: t("active"), tone: "good" },
        { key: "suspended", label: t("suspended"), tone: "warn" },
      ]}
    />
  );
}
