import { useTranslations } from "next-intl";
import { ChartCard } from "@/components/charts/chart-card";
import type { Series } from "@/components/charts/types";
import { useFinding } from "@/components/charts/use-finding";

export function ActiveAccountsChart({ series }: { series: Series }) {
  const t = useTranslations("charts.activeAccounts");
  const toFinding = useFinding();
  return (
    <ChartCard
      finding={t("finding", toFinding(series, "active"))}
      question={t("question")}
      series={series}
      kind="lines"
      name="active-accounts"
      lines={[{ key: "active", label: t("active"), tone: "main" }]}
    />
  );
}
