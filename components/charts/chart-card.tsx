import { useTranslations } from "next-intl";
import { type ReactNode, useId } from "react";
import { Card } from "@/components/ui/card";
import { Disclosure } from "@/components/ui/disclosure";
import { useFormat } from "@/components/ui/use-format";
import { FigureTable } from "./figure-table";
import { hasPreviousFigures, Plot } from "./plot";
import { PlotFrame } from "./plot-frame";
import { formatColumn, formatInterval, formatValue, toCsvInterval } from "./series-format";
import { toToneStyle } from "./tone-style";
import type { ChartKind, ChartLine, Series } from "./types";

export interface ChartCardProps {
  /** Heading that states the result: "3 of 120 deliveries failed". */
  finding: ReactNode;
  /** Question that the chart answers. */
  question: string;
  series: Series;
  lines: readonly ChartLine[];
  kind: ChartKind;
  /** File name of the download, without extension. */
  name: string;
}

/** Chart with its finding, legend and figures. Rendered on the server; tooltips load on first use. */
export function ChartCard({ finding, question, series, lines, kind, name }: ChartCardProps) {
  const t = useTranslations("charts");
  const format = useFormat();
  const tableId = useId();
  const drawn = lines.map((line) => ({ ...line, ...series.lines.find(({ key }) => key === line.key)! }));
  const isCompared = hasPreviousFigures(drawn);
  const lastIndex = series.starts.length - 1;
  const lastText = [
    formatInterval(format, series.starts[lastIndex]!, series.interval),
    ...drawn.map((line) => `${line.label}: ${formatValue(format, line.values[lastIndex]!, line)}`),
  ].join("; ");
  return (
    <Card title={finding} description={question}>
      <div className="@container flex flex-col gap-4">
        <ul className="chart flex flex-wrap gap-x-5 gap-y-1 text-sm">
          {drawn.map((line) => (
            <li key={line.key} className="flex items-center gap-2">
              <span
                className="size-2.5 rounded-full bg-(--tone) forced-colors:border forced-colors:border-[CanvasText]"
                style={toToneStyle(line.tone)}
              />
              <span className="text-fg-muted">
                <bdi>{line.label}</bdi>
              </span>
              <span className="font-medium tabular-nums">{formatValue(format, line.total, line)}</span>
            </li>
          ))}
          {isCompared ? (
            <li className="flex items-center gap-2">
              <span className="w-4 border-fg-subtle border-t-2 border-dashed" />
              <span className="text-fg-muted">{t("before")}</span>
            </li>
          ) : null}
        </ul>
        <PlotFrame tableId={tableId} label={question} count={series.starts.length} lastText={lastText}>
          <Plot series={series} lines={lines} kind={kind} />
        </PlotFrame>
        <Disclosure label={t("table")}>
          <FigureTable
            id={tableId}
            caption={question}
            interval={{
              label: t(`interval.${series.interval}`),
              texts: series.starts.map((start) => formatInterval(format, start, series.interval)),
              values: series.starts.map((start) => toCsvInterval(format, start, series.interval)),
            }}
            columns={drawn.flatMap((line) => [
              {
                key: line.key,
                label: line.label,
                tone: line.tone,
                ...formatColumn(format, line.values, line),
              },
              ...(line.previous_values && isCompared
                ? [
                    {
                      key: `${line.key} before`,
                      label: t("lineBefore", { line: line.label }),
                      ...formatColumn(format, line.previous_values, line),
                    },
                  ]
                : []),
            ])}
            name={name}
            download={{ label: t("download"), failedText: t("downloadFailed") }}
          />
        </Disclosure>
      </div>
    </Card>
  );
}
