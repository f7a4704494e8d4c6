"use client";

import { type ComponentType, type ReactNode, useEffect, useRef, useState } from "react";
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
  const [Tooltip, setTooltip] = useState<ComponentType<{ reading: Reading }>>();
  const [reading, setReading] = useState<Reading>();

  /** Counts what the reader did: only the latest may show a tooltip, as the code loads after the first. */
  const latest = useRef(0);
  const isReading = reading !== undefined;

  function read(find: (reader: Reader, element: HTMLElement, current?: Reading) => Reading | undefined) {
    const step = ++latest.current;
    import("./plot-reader").then(
      (file) => {
        const element = frame.current;
        if (!element || step !== latest.current) return;
        setTooltip(() => file.Tooltip);
        setReading((current) => find(file, element, current));
      },
      // Without a connection there is no tooltip; the table has the same figures.
      () => undefined,
    );
  }

  function stopReading() {
    latest.current++;
    setReading(undefined);
  }

  // On the document, because a chart below the pointer need not have the focus.
  useEffect(() => {
    if (!isReading) return;
    const stopOnEscape = ({ key }: KeyboardEvent) => {
      if (key !== "Escape") return;
      latest.current++;
      setReading(undefined);
    };
    document.addEventListener("keydown", stopOnEscape);
    return () => document.removeEventListener("keydown", stopOnEscape);
  }, [isReading]);

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
        className="absolute inset-0 cursor-crosshair touch-pan-y rounded-control"
        onPointerMove={(event) => {
          const { clientX } = event;
          read((file, element) => file.readAtPosition(element, { tableId, clientX }));
        }}
        onPointerDown={(event) => {
          const { clientX } = event;
          read((file, element) => file.readAtPosition(element, { tableId, clientX }));
        }}
        // A finger that was lifted leaves its figures on the screen.
        onPointerLeave={({ pointerType }) => pointerType !== "touch" && stopReading()}
        onBlur={stopReading}
        onKeyDown={(event) => {
          const { key } = event;
          if (!STEP_KEYS.has(key)) return;
          event.preventDefault();
          read((file, element, current) =>
            file.readByKey(element, { tableId, key, from: current?.index ?? count - 1 }),
          );
        }}
      />
      {Tooltip && reading ? <Tooltip reading={reading} /> : null}
    </div>
  );
}
