import { useTranslations } from "next-intl";
import { ChartCard } from "@/components/charts/chart-card";
import type { Series } from "@/components/charts/types";
import { useFinding } from "@/components/charts/use-finding";

export function InvoicesChart({ series }: { series: Series }) {
  const t = useTranslations("charts.invoices");
  const toFinding = useFinding();
  return (
    <ChartCard
      finding={t("finding", toFinding(series, "needs_attention"))}
      question={t("question")}
      series={series}
      kind="stack"
      name="invoices"
      lines={[
        { key: "issued", label: t("issued"), tone: "good" },
        { key: "in_progress", label: t("inProgress"), tone: "main" },
        { key: "needs_attention", label: t("needsAttention"), tone: "bad" },
        { key: "skipped_or_cancelled", label: t("skipped"), tone: "muted" },
      ]}
    />
  );
}
