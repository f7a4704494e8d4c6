import { useTranslations } from "next-intl";
import { ChartCard } from "@/components/charts/chart-card";
import type { Series } from "@/components/charts/types";
import { useFinding } from "@/components/charts/use-finding";
import { REQUEST_P95_MAX_MS } from "@/server/domains/platform/requests/policy";

/** Requests by outcome, and how long most of them took. */
export function RequestCharts({ series }: { series: Series }) {
  const t = useTranslations("charts.requests");
  const toFinding = useFinding();
  const p95 = series.lines.find(({ key }) => key === "p95_ms")!.total;
  return (
    <>
      <ChartCard
        finding={t("finding", toFinding(series, "failed"))}
        question={t("question")}
        series={series}
        kind="stack"
        name="requests"
        lines={[
          { key: "succeeded", label: t("succeeded"), tone: "good" },
          { key: "rejected", label: t("rejected"), tone: "warn" },
          { key: "throttled", label: t("throttled"), tone: "muted" },
          { key: "failed", label: t("failed"), tone: "bad" },
        ]}
      />
      <ChartCard
        finding={t("p95Finding", {
          ...toFinding(series, "p95_ms"),
          kind: p95 === null ? "none" : p95 >= REQUEST_P95_MAX_MS ? "long" : "other",
        })}
        question={t("p95Question")}
        series={series}
        kind="lines"
        name="request-durations"
        lines={[{ key: "p95_ms", label: t("p95"), tone: "main" }]}
      />
    </>
  );
}
