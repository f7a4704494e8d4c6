"use client";

import { type ReactNode, useRef, useState } from "react";
import type { Reading } from "./plot-reader";

interface PlotFrameProps {
  /** Table with the figures, which the tooltip reads. */
  tableId: string;
  label: string;
  count: number;
  /** The last interval in words, until another one is read. */
  lastText: string;
  children: ReactNode;
}

type Reader = typeof import("./plot-reader");

const STEP_KEYS = new Set([
  "ArrowLeft",
  "ArrowRight",
  "ArrowUp",
  "ArrowDown",
  "Home",
  "End",
  "PageUp",
  "PageDown",
]);

/** Reads a chart interval by interval, by pointer and keyboard. The code loads with the first use. */
export function PlotFrame({ tableId, label, count, lastText, children }: PlotFrameProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [reader, setReader] = useState<Reader>();
  const [reading, setReading] = useState<Reading>();

  function read(find: (reader: Reader, element: HTMLElement) => Reading | undefined) {
    import("./plot-reader").then(
      (file) => {
        setReader(file);
        if (frame.current) setReading(find(file, frame.current));
      },
      // Without a connection there is no tooltip; the table has the same figures.
      () => undefined,
    );
  }

  return (
    <div ref={frame} className="chart relative">
      {children}
      <div
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={1}
        aria-valuemax={count}
        aria-valuenow={(reading?.index ?? count - 1) + 1}
        aria-valuetext={reading?.text ?? lastText}
        data-plot
        className="absolute inset-0 cursor-crosshair touch-pan-y rounded-control"
        onPointerMove={(event) => {
          const { clientX } = event;
          read((file, element) => file.readAtPosition(element, { tableId, clientX }));
        }}
        onPointerDown={(event) => {
          const { clientX } = event;
          read((file, element) => file.readAtPosition(element, { tableId, clientX }));
        }}
        onPointerLeave={() => setReading(undefined)}
        onBlur={() => setReading(undefined)}
        onKeyDown={(event) => {
          const { key } = event;
          if (key === "Escape") return setReading(undefined);
          if (!STEP_KEYS.has(key)) return;
          event.preventDefault();
          read((file, element) => file.readByKey(element, { tableId, key, from: reading?.index ?? count }));
        }}
      />
      {reader && reading ? <reader.Tooltip reading={reading} /> : null}
    </div>
  );
}
