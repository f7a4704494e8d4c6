import { useTranslations } from "next-intl";
import { ChartCard } from "@/components/charts/chart-card";
import { formatValue } from "@/components/charts/series-format";
import type { Series } from "@/components/charts/types";
import { useFormat } from "@/components/ui/use-format";

const findLine = (series: Series, key: string) => series.lines.find((line) => line.key === key)!;

/** Amounts to pay for licences in the coming days or months. */
export function LicencesDueChart({ series }: { series: Series }) {
  const t = useTranslations("charts.licencesDue");
  const format = useFormat();
  const amount = findLine(series, "amount");
  return (
    <ChartCard
      finding={t("finding", {
        count: findLine(series, "licences").total ?? 0,
        total: formatValue(format, amount.total, amount),
      })}
      question={t("question")}
      series={series}
      kind="bars"
      name="licences-due"
      lines={[{ key: "amount", label: t("amount"), tone: "main" }]}
    />
  );
}
