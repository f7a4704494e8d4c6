import { toToneStyle } from "./tone-style";
import type { Tone } from "./types";

export interface Reading {
  index: number;
  heading: string;
  figures: { label: string; value: string; tone: Tone | undefined }[];
  /** All of it in words, for screen readers. */
  text: string;
  /** Position in percent of the frame's width from its left edge. */
  left: number;
  /** The tooltip opens to the side that has more space. */
  isPastMiddle: boolean;
  isRtl: boolean;
}

interface Target {
  tableId: string;
}

const getTable = (tableId: string) => document.getElementById(tableId) as HTMLTableElement | null;
const getRows = (table: HTMLTableElement) => [...(table.tBodies[0]?.rows ?? [])];
const getText = (cell: Element | undefined) => cell?.textContent ?? "";

/** Reads the interval below a pointer. */
export function readAtPosition(
  frame: HTMLElement,
  { tableId, clientX }: Target & { clientX: number },
): Reading | undefined {
  const plot = getPlotBox(frame);
  const share = (clientX - plot.left) / plot.width;
  const count = getTable(tableId)?.tBodies[0]?.rows.length ?? 0;
  const position = Math.floor((isRtl(frame) ? 1 - share : share) * count);
  return readInterval(frame, tableId, position);
}

/** Reads the interval that a key leads to. In right-to-left charts, time runs to the left. */
export function readByKey(
  frame: HTMLElement,
  { tableId, key, from }: Target & { key: string; from: number },
): Reading | undefined {
  const count = getTable(tableId)?.tBodies[0]?.rows.length ?? 0;
  const forward = isRtl(frame) ? "ArrowLeft" : "ArrowRight";
  const backward = isRtl(frame) ? "ArrowRight" : "ArrowLeft";
  const page = Math.max(2, Math.round(count / 10));
  const steps: Record<string, number> = {
    [forward]: 1,
    [backward]: -1,
    ArrowUp: 1,
    ArrowDown: -1,
    PageUp: page,
    PageDown: -page,
    Home: -count,
    End: count,
  };
  return readInterval(frame, tableId, from + (steps[key] ?? 0));
}

function readInterval(frame: HTMLElement, tableId: string, position: number): Reading | undefined {
  const table = getTable(tableId);
  if (!table) return undefined;
  const rows = getRows(table);
  const index = Math.min(Math.max(position, 0), rows.length - 1);
  const row = rows[index];
  if (!row) return undefined;
  const headers = [...(table.tHead?.rows[0]?.cells ?? [])].slice(1);
  const [heading, ...cells] = row.cells;
  const columns = cells.map((cell, column) => ({
    label: getText(headers[column]),
    value: getText(cell),
    tone: headers[column]?.dataset.tone as Tone | undefined,
  }));
  // With several lines, figures of the period before are in the table only: all of them would cover the chart.
  const lines = columns.filter(({ tone }) => tone);
  const figures = lines.length > 1 ? lines : columns;
  const share = (index + 0.5) / rows.length;
  const plot = getPlotBox(frame);
  const box = frame.getBoundingClientRect();
  const left = ((plot.left - box.left + plot.width * (isRtl(frame) ? 1 - share : share)) / box.width) * 100;
  return {
    index,
    heading: getText(heading),
    figures,
    text: [getText(heading), ...figures.map(({ label, value }) => `${label}: ${value}`)].join("; "),
    left,
    isPastMiddle: left > 50,
    isRtl: isRtl(frame),
  };
}

const isRtl = (frame: HTMLElement) => getComputedStyle(frame).direction === "rtl";
const getPlotBox = (frame: HTMLElement) => (frame.querySelector("svg") ?? frame).getBoundingClientRect();

export function Tooltip({ reading }: { reading: Reading }) {
  const { left, isPastMiddle } = reading;
  return (
    // Positions count from the left edge in both directions of writing.
    <div className="pointer-events-none absolute inset-0" aria-hidden dir="ltr">
      <div className="absolute top-0 h-44 w-px bg-fg-subtle" style={{ insetInlineStart: `${left}%` }} />
      <div
        className="layer-menu absolute top-0 w-max"
        style={{
          maxWidth: `min(18rem, calc(${isPastMiddle ? left : 100 - left}% - 8px))`,
          ...(isPastMiddle
            ? { insetInlineEnd: `calc(${100 - left}% + 8px)` }
            : { insetInlineStart: `calc(${left}% + 8px)` }),
        }}
      >
        <div
          dir={reading.isRtl ? "rtl" : "ltr"}
          className="rounded-control border border-border bg-raised px-3 py-2 text-sm shadow-2"
        >
          <p className="font-medium">
            <bdi>{reading.heading}</bdi>
          </p>
          <ul className="mt-1 flex flex-col gap-0.5">
            {reading.figures.map(({ label, value, tone }) => (
              <li key={label} className="flex items-center justify-between gap-4">
                <span className="flex min-w-0 items-center gap-2 text-fg-muted">
                  {tone ? (
                    <span
                      className="size-2 shrink-0 rounded-full bg-(--tone) forced-colors:border forced-colors:border-[CanvasText]"
                      style={toToneStyle(tone)}
                    />
                  ) : (
                    <span className="w-2 shrink-0 border-fg-subtle border-t-2 border-dotted" />
                  )}
                  <bdi className="wrap-anywhere">{label}</bdi>
                </span>
                <span className="shrink-0 tabular-nums">{value}</span>
              </li>
            ))}
          </ul>
        </div>
      </div>
    </div>
  );
}
