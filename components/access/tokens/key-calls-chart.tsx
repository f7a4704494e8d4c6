import { useTranslations } from "next-intl";
import { ChartCard } from "@/components/charts/chart-card";
import type { Series } from "@/components/charts/types";
import { useFinding } from "@/components/charts/use-finding";

/** Calls of API keys by result. */
export function KeyCallsChart({ series }: { series: Series }) {
  const t = useTranslations("charts.keyCalls");
  const toFinding = useFinding();
  return (
    <ChartCard
      finding={t("finding", toFinding(series, "errors"))}
      question={t("question")}
      series={series}
      kind="stack"
      name="api-key-calls"
      lines={[
        { key: "succeeded", label: t("succeeded"), tone: "good" },
        { key: "errors", label: t("errors"), tone: "bad" },
      ]}
    />
  );
}
