"use client";

import type { ReactNode } from "react";
import { type DateInput, toRelativeTime } from "./format";
import { HINT, lazyPart } from "./lazy-part";
import { useFormat } from "./use-format";
import { useHint } from "./use-hint";
import { useNow } from "./use-now";
import { useServerText } from "./use-server-text";

const TimePopup = lazyPart(() => import("./popups/time-popup").then((file) => file.TimePopup), HINT);

export interface TimeProps {
  value: DateInput;
  /** `auto`, for logs and last use: relative within seven days, exact on hover and click. Lists of records show a date. */
  show?: "auto" | "date" | "dateTime";
  showZone?: boolean;
}

export function Time({ value, show = "auto", showZone = false }: TimeProps) {
  const format = useFormat();
  const now = useNow(30_000) ?? Date.now();
  const iso = new Date(value).toISOString();
  const relativeTime = show === "auto" ? toRelativeTime(value, now) : null;
  const text = useServerText([format.cacheKey, iso, show, showZone, relativeTime].join(), () => {
    const formatAbsolute = show === "dateTime" ? format.dateTime : format.date;
    const momentText = relativeTime ? format.relativeTime(relativeTime) : formatAbsolute(value);
    return showZone ? `${momentText} (${format.zone(value)})` : momentText;
  });
  const element = (
    <time dateTime={iso} suppressHydrationWarning className="whitespace-nowrap">
      {text}
    </time>
  );
  return show === "auto" ? <ExactTimeHint iso={iso}>{element}</ExactTimeHint> : element;
}

function ExactTimeHint({ iso, children }: { iso: string; children: ReactNode }) {
  const { hint, setOpenNow, renderWithHint } = useHint(300, TimePopup.preload);
  return (
    <>
      {renderWithHint(
        <button
          type="button"
          aria-haspopup="dialog"
          aria-expanded={hint.open}
          data-popup-open={hint.open ? "" : undefined}
          className="rounded-control decoration-dotted underline-offset-4 hover:underline data-popup-open:underline"
          onFocus={TimePopup.preload}
          onClick={(event) => setOpenNow(!hint.open, event.currentTarget)}
        >
          {children}
        </button>,
      )}
      {hint.anchor ? <TimePopup {...hint} iso={iso} /> : null}
    </>
  );
}
