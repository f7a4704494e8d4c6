import { useTranslations } from "next-intl";
import { useFormat } from "@/components/ui/use-format";
import { formatValue } from "./series-format";
import type { Series } from "./types";

/** Smaller changes are noise, and larger ones say little: the figure itself says more. */
const CHANGES = { min: 0.01, max: 10 };

/** Values for the message of a finding: `direction` is `more`, `fewer` or `none`, without a comparison. */
export function useFinding() {
  const t = useTranslations("charts");
  const format = useFormat();
  return (series: Series, key: string) => {
    const line = series.lines.find((each) => each.key === key)!;
    const total = line.total ?? 0;
    const change = line.previous_total ? (total - line.previous_total) / Math.abs(line.previous_total) : 0;
    const share = Math.abs(change);
    const isWorthSaying = total !== 0 && share >= CHANGES.min && share <= CHANGES.max;
    return {
      direction: isWorthSaying ? (change > 0 ? "more" : "fewer") : "none",
      percent: format.number(share, { style: "percent", maximumFractionDigits: 0 }),
      than: t(`than.${(series.period ?? "dates") as "7d"}`),
      count: total,
      total: formatValue(format, line.total, line),
    };
  };
}
