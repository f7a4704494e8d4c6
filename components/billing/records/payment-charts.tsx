import { useTranslations } from "next-intl";
import { ChartCard } from "@/components/charts/chart-card";
import { SERIAL_TONES } from "@/components/charts/tone-style";
import type { Series } from "@/components/charts/types";
import { useFinding } from "@/components/charts/use-finding";

/** Payments by plan: a chart per currency, because amounts of different currencies do not add up. */
export function PaymentCharts({ series }: { series: Series }) {
  const currencies = [...new Set(series.lines.map(({ currency }) => currency))];
  return currencies.map((currency) => (
    <PaymentChart
      key={currency}
      currency={currency ?? ""}
      series={{ ...series, lines: series.lines.filter((line) => line.currency === currency) }}
    />
  ));
}

function PaymentChart({ series, currency }: { series: Series; currency: string }) {
  const t = useTranslations("charts.payments");
  const toFinding = useFinding();
  const labels = new Map([
    ["licence", t("licence")],
    ["other", t("other")],
  ]);
  return (
    <ChartCard
      finding={t("finding", toFinding(addLines(series), "total"))}
      question={t("question")}
      series={series}
      kind="stack"
      name={`payments-${currency.toLowerCase()}`}
      lines={series.lines.map(({ key }, index) => ({
        key,
        label: labels.get(key) ?? key,
        tone: SERIAL_TONES[index]!,
      }))}
    />
  );
}

/** The same series with one line for all plans. */
function addLines({ lines, ...range }: Series): Series {
  const add = (field: "total" | "previous_total") => lines.reduce((sum, line) => sum + (line[field] ?? 0), 0);
  const total = add("total");
  return { ...range, lines: [{ ...lines[0]!, key: "total", total, previous_total: add("previous_total") }] };
}
