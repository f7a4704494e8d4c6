import { clsx } from "clsx";
import { useFormat } from "@/components/ui/use-format";
import {
  addLines,
  chooseLabelIndexes,
  createCentres,
  createScale,
  type Scale,
  toAreaPath,
  toBarPaths,
  toLinePath,
} from "./geometry";
import { formatAxisLabel, formatValue } from "./series-format";
import { toToneStyle } from "./tone-style";
import type { ChartKind, ChartLine, Series } from "./types";

export interface PlotProps {
  series: Series;
  lines: readonly ChartLine[];
  kind: ChartKind;
}

/** Draws the lines as SVG that stretches to its container; labels are HTML, so they keep their size. */
export function Plot({ series, lines, kind }: PlotProps) {
  const format = useFormat();
  const drawn = lines.map(({ key }) => series.lines.find((each) => each.key === key)!);
  const { unit } = drawn[0]!;
  const previous = drawn.map(({ previous_values }) => previous_values);
  const isCompared = hasPreviousFigures(drawn);
  // A stack compares its height, other charts their first line.
  const previousValues = isCompared
    ? kind === "stack"
      ? addLines(previous.map((each) => each ?? []))
      : previous[0]!
    : null;
  const values = drawn.map((each) => each.values);
  const heights = kind === "stack" ? addLines(values) : values.flat();
  const scale = createScale([...heights, ...(previousValues ?? [])], unit !== "minor");
  const count = series.starts.length;
  const getCentre = createCentres(count);
  return (
    <div className="grid grid-cols-[auto_1fr] gap-x-2 text-fg-muted text-caption" aria-hidden>
      <div className="grid h-44 justify-items-end tabular-nums">
        {scale.ticks.map((tick) => (
          <span
            key={tick}
            className="relative h-0 leading-none [grid-area:1/1]"
            style={{ insetBlockStart: `calc(${scale.toY(tick)}% - 0.5em)` }}
          >
            {formatValue(format, tick, { unit, compact: true })}
          </span>
        ))}
      </div>
      <div className="relative h-44">
        <svg
          aria-hidden
          viewBox="0 0 100 100"
          preserveAspectRatio="none"
          className="absolute inset-0 size-full overflow-visible rtl:-scale-x-100"
        >
          <Grid scale={scale} />
          {kind === "lines" ? (
            <Lines values={values} lines={lines} scale={scale} />
          ) : (
            <Bars values={values} lines={lines} kind={kind} scale={scale} />
          )}
          {previousValues ? (
            <path
              d={toLinePath(previousValues, scale, { isStraight: kind !== "lines" })}
              className="fill-none stroke-fg-subtle"
              strokeWidth={1.5}
              strokeDasharray="3 3"
              vectorEffect="non-scaling-stroke"
            />
          ) : null}
        </svg>
      </div>
      <div className="relative col-start-2 mt-2 h-4 overflow-hidden">
        {chooseLabelIndexes(count).map((index, position) => (
          <span
            key={index}
            className={clsx(
              "absolute whitespace-nowrap",
              index === 0 ? "translate-x-0" : "-translate-x-1/2 rtl:translate-x-1/2",
              // Every other label where the chart is narrow.
              position % 2 === 1 && "@max-md:hidden",
            )}
            style={{ insetInlineStart: index === 0 ? 0 : `${getCentre(index)}%` }}
          >
            {formatAxisLabel(format, series.starts[index]!, series.interval)}
          </span>
        ))}
      </div>
    </div>
  );
}

/** False without a comparison, and if the period before has no figures to compare with. */
export function hasPreviousFigures(lines: readonly Series["lines"][number][]): boolean {
  return lines.some(({ previous_values }) => previous_values?.some((value) => value));
}

function Grid({ scale: { ticks, toY } }: { scale: Scale }) {
  return ticks.map((tick) => (
    <line
      key={tick}
      x1={0}
      x2={100}
      y1={toY(tick)}
      y2={toY(tick)}
      className={tick === 0 ? "stroke-border-strong" : "stroke-border"}
      vectorEffect="non-scaling-stroke"
    />
  ));
}

interface ShapeProps {
  values: (number | null)[][];
  lines: readonly ChartLine[];
  scale: Scale;
}

function Bars({ values, lines, kind, scale }: ShapeProps & { kind: Exclude<ChartKind, "lines"> }) {
  return toBarPaths(values, kind, scale).map((path, index) => (
    <path
      key={lines[index]!.key}
      d={path}
      className="fill-(--tone) forced-colors:stroke-[CanvasText]"
      style={toToneStyle(lines[index]!.tone)}
      vectorEffect="non-scaling-stroke"
    />
  ));
}

function Lines({ values, lines, scale }: ShapeProps) {
  return (
    <>
      {values.length === 1 ? (
        <path
          d={toAreaPath(values[0]!, scale)}
          className="fill-(--tone)"
          style={toToneStyle(lines[0]!.tone)}
          fillOpacity={0.12}
        />
      ) : null}
      {values.map((each, index) => (
        <path
          key={lines[index]!.key}
          d={toLinePath(each, scale)}
          className="fill-none stroke-(--tone)"
          style={toToneStyle(lines[index]!.tone)}
          strokeWidth={2}
          // The second line also differs in its stroke, for readers who do not see the difference in colour.
          strokeDasharray={index === 1 ? "6 3" : undefined}
          vectorEffect="non-scaling-stroke"
        />
      ))}
    </>
  );
}
