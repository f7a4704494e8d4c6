import { useTranslations } from "next-intl";
import { ChartCard } from "@/components/charts/chart-card";
import type { Series } from "@/components/charts/types";
import { useFinding } from "@/components/charts/use-finding";

/** Runs by outcome, and how long they took. */
export function JobCharts({ series }: { series: Series }) {
  const t = useTranslations("charts.jobs");
  const toFinding = useFinding();
  return (
    <>
      <ChartCard
        finding={t("finding", toFinding(series, "failed"))}
        question={t("question")}
        series={series}
        kind="stack"
        name="job-runs"
        lines={[
          { key: "succeeded", label: t("succeeded"), tone: "good" },
          { key: "failed", label: t("failed"), tone: "bad" },
        ]}
      />
      <ChartCard
        finding={t("durationFinding", toFinding(series, "longest_ms"))}
        question={t("durationQuestion")}
        series={series}
        kind="lines"
        name="job-durations"
        lines={[
          { key: "longest_ms", label: t("longest"), tone: "main" },
          { key: "average_ms", label: t("average"), tone: "second" },
        ]}
      />
    </>
  );
}
