"use client";

import { useTranslations } from "next-intl";
import { useEffect, useRef } from "react";
import { clock, type DateInput } from "./format";
import { announce } from "./live-regions";
import { useNow } from "./use-now";

const SPOKEN = [60, 30, 10];

/** Countdown to `until`. Announces only 60, 30 and 10 seconds to screen readers. */
export function Countdown({ until, onEnd }: { until: DateInput; onEnd?: () => void }) {
  const t = useTranslations("ui.countdown");
  const now = useNow(1000);
  const end = new Date(until).getTime();
  const left = now === null ? null : Math.max(0, end - now);
  const seconds = left === null ? null : Math.ceil(left / 1000);
  const ended = useRef<number>(undefined);

  useEffect(() => {
    if (seconds === null) return;
    if (SPOKEN.includes(seconds)) announce(t("left", { seconds }));
    if (seconds === 0 && ended.current !== end) {
      ended.current = end;
      onEnd?.();
    }
  }, [seconds, end, onEnd, t]);

  return (
    <span role="timer" aria-live="off" dir="ltr" className="inline-block tabular-nums">
      {left === null ? "–:––" : clock(left)}
    </span>
  );
}
