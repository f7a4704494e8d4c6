import { useTranslations } from "next-intl";
import { ChartCard } from "@/components/charts/chart-card";
import type { Series } from "@/components/charts/types";
import { useFinding } from "@/components/charts/use-finding";

/** Number of a reseller's customers; the heading says how many joined. */
export function CustomersChart({ series }: { series: Series }) {
  const t = useTranslations("charts.customers");
  const toFinding = useFinding();
  return (
    <ChartCard
      finding={t("finding", toFinding(series, "joined"))}
      question={t("question")}
      series={series}
      kind="lines"
      name="customers"
      lines={[{ key: "customers", label: t("customers"), tone: "main" }]}
    />
  );
}
