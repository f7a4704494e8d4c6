"use client";

import dynamic from "next/dynamic";
import type { ReactNode } from "react";
import { type DateInput, distanceTo } from "./format";
import { useHint } from "./hint";
import { useFormat } from "./use-format";
import { useNow } from "./use-now";
import { useServerText } from "./use-server-text";

const load = () => import("./popups/time-popup");
const TimePopup = dynamic(() => load().then((file) => file.TimePopup), { ssr: false });

export interface TimeProps {
  value: DateInput;
  /** `auto`: relative within seven days, with the exact time on hover and click. */
  show?: "auto" | "date" | "dateTime";
  zone?: boolean;
}

export function Time({ value, show = "auto", zone = false }: TimeProps) {
  const format = useFormat();
  const now = useNow(30_000) ?? Date.now();
  const iso = new Date(value).toISOString();
  const distance = show === "auto" ? distanceTo(value, now) : null;
  const text = useServerText([format.key, iso, show, zone, distance].join(), () => {
    const dated = show === "dateTime" ? format.dateTime : format.date;
    const moment = distance ? format.ago(distance) : dated(value);
    return zone ? `${moment} (${format.zone(value)})` : moment;
  });
  const element = (
    <time dateTime={iso} suppressHydrationWarning className="whitespace-nowrap">
      {text}
    </time>
  );
  return show === "auto" ? <ExactTime iso={iso}>{element}</ExactTime> : element;
}

function ExactTime({ iso, children }: { iso: string; children: ReactNode }) {
  const { hint, setOpenNow, withHint } = useHint(300, load);
  return (
    <>
      {withHint(
        <button
          type="button"
          aria-haspopup="dialog"
          aria-expanded={hint.open}
          data-popup-open={hint.open ? "" : undefined}
          className="rounded-control decoration-dotted underline-offset-4 hover:underline data-popup-open:underline"
          onFocus={load}
          onClick={(event) => setOpenNow(!hint.open, event.currentTarget)}
        >
          {children}
        </button>,
      )}
      {hint.anchor ? <TimePopup {...hint} iso={iso} /> : null}
    </>
  );
}
