import { useTranslations } from "next-intl";
import { useFormat } from "@/components/ui/use-format";
import { formatValue } from "./series-format";
import type { Series } from "./types";

/** Smaller changes are noise. */
const MIN_CHANGE = 0.01;

/** Values for the message of a finding: `direction` is `more`, `fewer` or `none`, without a comparison. */
export function useFinding() {
  const t = useTranslations("charts");
  const format = useFormat();
  return (series: Series, key: string) => {
    const line = series.lines.find((each) => each.key === key)!;
    const total = line.total ?? 0;
    const change = line.previous_total ? (total - line.previous_total) / Math.abs(line.previous_total) : 0;
    const direction = Math.abs(change) < MIN_CHANGE ? "none" : change > 0 ? "more" : "fewer";
    return {
      direction,
      percent: format.number(Math.abs(change), { style: "percent", maximumFractionDigits: 0 }),
      than: t(`than.${(series.period ?? "dates") as "7d"}`),
      count: total,
      total: formatValue(format, line.total, line),
    };
  };
}
