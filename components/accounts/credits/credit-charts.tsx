import { useTranslations } from "next-intl";
import { ChartCard } from "@/components/charts/chart-card";
import type { Series } from "@/components/charts/types";
import { useFinding } from "@/components/charts/use-finding";
import { useFormat } from "@/components/ui/use-format";
import type { Output } from "@/server/core/contract";
import type { getCreditSeries } from "@/server/domains/accounts/credits/contract";

type CreditSeries = Output<typeof getCreditSeries>["data"];

const getTotal = (series: Series, key: string) => series.lines.find((line) => line.key === key)?.total ?? 0;

/** False for an account whose credits have not been used in the period. */
export const hasCreditUse = (series: Series) => getTotal(series, "used") > 0;

/** Course of the balance, whose heading states when it ends. */
export function BalanceChart({ series }: { series: CreditSeries }) {
  const t = useTranslations("charts.credits");
  const format = useFormat();
  return (
    <ChartCard
      finding={
        series.projection
          ? t("lasts", { date: format.date(series.projection.ends_at, "long") })
          : t("finding", { count: getTotal(series, "balance") })
      }
      question={t("question")}
      series={series}
      kind="lines"
      name="credits"
      lines={[{ key: "balance", label: t("balance"), tone: "main" }]}
    />
  );
}

export function CreditUseChart({ series }: { series: CreditSeries }) {
  const t = useTranslations("charts.creditUse");
  const toFinding = useFinding();
  return (
    <ChartCard
      finding={t("finding", toFinding(series, "used"))}
      question={t("question")}
      series={series}
      kind="bars"
      name="credit-use"
      lines={[{ key: "used", label: t("used"), tone: "second" }]}
    />
  );
}
