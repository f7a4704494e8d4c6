import { useTranslations } from "next-intl";
import { ChartCard } from "@/components/charts/chart-card";
import type { Series } from "@/components/charts/types";

/** Open invoices by the day of their legal deadline, in the next seven days. */
export function DeadlinesChart({ series }: { series: Series & { overdue: number } }) {
  const t = useTranslations("charts");
  const count = series.lines.reduce((sum, { total }) => sum + (total ?? 0), 0);
  return (
    <ChartCard
      finding={t("deadlines.finding", { overdue: series.overdue, count })}
      question={t("deadlines.question")}
      series={series}
      kind="stack"
      name="invoice-deadlines"
      lines={[
        { key: "in_progress", label: t("invoices.inProgress"), tone: "main" },
        { key: "needs_attention", label: t("invoices.needsAttention"), tone: "bad" },
      ]}
    />
  );
}
