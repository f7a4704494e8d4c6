import { useTranslations } from "next-intl";
import { ChartCard } from "@/components/charts/chart-card";
import type { ChartLine, Series } from "@/components/charts/types";
import { useFinding } from "@/components/charts/use-finding";

/** Earnings of a reseller and what was paid out; voided earnings if there are any. */
export function EarningsChart({ series }: { series: Series }) {
  const t = useTranslations("charts.earnings");
  const toFinding = useFinding();
  const lines: ChartLine[] = [
    { key: "earned", label: t("earned"), tone: "main" },
    { key: "paid_out", label: t("paid_out"), tone: "good" },
  ];
  if (series.lines.some(({ key, total }) => key === "voided" && total))
    lines.push({ key: "voided", label: t("voided"), tone: "muted" });
  return (
    <ChartCard
      finding={t("finding", toFinding(series, "earned"))}
      question={t("question")}
      series={series}
      kind="bars"
      name="earnings"
      lines={lines}
    />
  );
}
