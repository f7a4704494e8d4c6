import { scaleBand, scaleLinear } from "d3-scale";
import { area, curveLinear, curveMonotoneX, line, stack } from "d3-shape";
import type { ChartKind } from "./types";

/* Shapes in percent of the plot, so the browser stretches them to any width. Only the server loads this file. */

export type Values = readonly (number | null)[];

export interface Scale {
  bottom: number;
  top: number;
  ticks: number[];
  toY: (value: number) => number;
}

const TICK_COUNT = 4;

/** Scale from zero to a round number above the largest value; `isWhole` allows no ticks between whole numbers. */
export function createScale(values: Values, isWhole = true): Scale {
  const numbers = values.map((value) => value ?? 0);
  const highest = Math.max(0, ...numbers);
  const lowest = Math.min(0, ...numbers);
  const scale = scaleLinear()
    .domain([lowest, highest > lowest ? highest : 1])
    .nice(TICK_COUNT)
    .range([100, 0]);
  const ticks = scale.ticks(TICK_COUNT);
  const [bottom = 0, top = 1] = scale.domain();
  return {
    bottom,
    top,
    ticks: isWhole ? ticks.filter(Number.isInteger) : ticks,
    toY: (value) => scale(value),
  };
}

const round = (value: number) => Math.round(value * 100) / 100;

const createBands = (count: number) =>
  scaleBand<number>()
    .domain(Array.from({ length: count }, (_, index) => index))
    .range([0, 100])
    .paddingInner(count > 60 ? 0.1 : 0.25)
    .paddingOuter(0.1);

/** Returns the centre of each interval, in percent from the start of the plot. */
export function createCentres(count: number): (index: number) => number {
  const bands = createBands(count);
  return (index) => round(bands(index)! + bands.bandwidth() / 2);
}

/** Returns a path with the bars of each line: one path is much shorter than a rectangle per value. */
export function toBarPaths(
  lines: readonly Values[],
  kind: Exclude<ChartKind, "lines">,
  { toY }: Scale,
): string[] {
  const bands = createBands(lines[0]?.length ?? 0);
  const width = kind === "stack" ? bands.bandwidth() : bands.bandwidth() / lines.length;
  const ends =
    kind === "stack"
      ? stackValues(lines)
      : lines.map((values) => values.map((value) => [0, value ?? 0] as const));
  return ends.map((pairs, line) =>
    pairs
      .map(([from, to], index) => {
        if (from === to) return "";
        const x = bands(index)! + (kind === "stack" ? 0 : width * line);
        return `M${round(x)} ${round(toY(from))}h${round(width)}V${round(toY(to))}h${round(-width)}z`;
      })
      .join(""),
  );
}

/** Returns from and to of each value. */
function stackValues(lines: readonly Values[]): (readonly [number, number])[][] {
  const rows = (lines[0] ?? []).map((_, index) => lines.map((values) => values[index] ?? 0));
  return stack<number[], number>()
    .keys(lines.map((_, index) => index))
    .value((row, key) => row[key]!)(rows)
    .map((ends) => ends.map(([from, to]) => [from, to] as const));
}

/** Sums of all lines, for the height of a stack; null where all are unknown. */
export function addLines(lines: readonly Values[]): (number | null)[] {
  return (lines[0] ?? []).map((_, index) =>
    lines.every((values) => values[index] === null)
      ? null
      : lines.reduce((sum, values) => sum + (values[index] ?? 0), 0),
  );
}

type Point = readonly [index: number, value: number | null];
const toPoints = (values: Values): Point[] => values.map((value, index) => [index, value]);

/** `isStraight` for a line across bars, whose values jump. */
export function toLinePath(values: Values, { toY }: Scale, { isStraight = false } = {}): string {
  const getCentre = createCentres(values.length);
  const path = line<Point>()
    .defined(([, value]) => value !== null)
    .x(([index]) => getCentre(index))
    .y(([, value]) => toY(value ?? 0))
    .curve(isStraight ? curveLinear : curveMonotoneX)
    .digits(2);
  return path(toPoints(values)) ?? "";
}

export function toAreaPath(values: Values, { toY }: Scale): string {
  const getCentre = createCentres(values.length);
  const path = area<Point>()
    .defined(([, value]) => value !== null)
    .x(([index]) => getCentre(index))
    .y0(toY(0))
    .y1(([, value]) => toY(value ?? 0))
    .curve(curveMonotoneX)
    .digits(2);
  return path(toPoints(values)) ?? "";
}

const MAX_LABELS = 6;

/** Indexes of the intervals to label, evenly spaced from the first. */
export function chooseLabelIndexes(count: number): number[] {
  const step = Math.max(1, Math.ceil(count / MAX_LABELS));
  return Array.from({ length: Math.ceil(count / step) }, (_, index) => index * step);
}
