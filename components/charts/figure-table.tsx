import { useTranslations } from "next-intl";
import { useFormat } from "@/components/ui/use-format";
import { formatInterval, formatValue, toCsvInterval } from "./series-format";
import type { ChartLine, Series } from "./types";

interface FigureTableProps {
  id: string;
  caption: string;
  series: Series;
  lines: readonly ChartLine[];
}

/** The figures of a chart. Tooltip and CSV read them from here; `data-value` has the value for the file. */
export function FigureTable({ id, caption, series, lines }: FigureTableProps) {
  const t = useTranslations("charts");
  const format = useFormat();
  const columns = lines.flatMap(({ key, label, tone }) => {
    const line = series.lines.find((each) => each.key === key)!;
    const column = { key, label, tone, values: line.values, unit: line.unit, currency: line.currency };
    if (!line.previous_values) return [column];
    return [
      column,
      {
        ...column,
        key: `${key}-before`,
        label: t("lineBefore", { line: label }),
        tone: undefined,
        values: line.previous_values,
      },
    ];
  });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls needs the keyboard's focus
    <section aria-label={caption} tabIndex={0} className="max-h-80 w-full overflow-auto">
      <table id={id} className="w-full text-sm tabular-nums">
        <caption className="sr-only">{caption}</caption>
        <thead className="layer-sticky sticky top-0 bg-surface text-fg-muted">
          <tr>
            <th scope="col" className="py-1.5 pe-4 text-start font-medium">
              {t(`interval.${series.interval}`)}
            </th>
            {columns.map(({ key, label, tone }) => (
              <th key={key} scope="col" data-tone={tone} className="py-1.5 ps-4 text-end font-medium">
                <bdi>{label}</bdi>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {series.starts.map((start, index) => (
            <tr key={start} className="border-border border-t">
              <th
                scope="row"
                data-value={toCsvInterval(format, start, series.interval)}
                className="whitespace-nowrap py-1.5 pe-4 text-start font-normal"
              >
                {formatInterval(format, start, series.interval)}
              </th>
              {columns.map(({ key, values, ...line }) => (
                <td
                  key={key}
                  data-value={toCsvValue(values[index]!, line.unit)}
                  className="py-1.5 ps-4 text-end"
                >
                  {formatValue(format, values[index]!, line)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function toCsvValue(value: number | null, unit: string): string {
  if (value === null) return "";
  return unit === "minor" ? (value / 100).toFixed(2) : String(value);
}
