"use client";

import { useTranslations } from "next-intl";
import { useEffect, useRef } from "react";
import { type DateInput, formatDuration } from "./format";
import { announce } from "./live-regions";
import { useNow } from "./use-now";

const ANNOUNCED_SECONDS = [60, 30, 10];

/** Countdown to `until`. Announces only 60, 30 and 10 seconds to screen readers. */
export function Countdown({ until, onEnd }: { until: DateInput; onEnd?: () => void }) {
  const t = useTranslations("ui.countdown");
  const now = useNow(1000);
  const endsAt = new Date(until).getTime();
  const remainingMs = now === null ? null : Math.max(0, endsAt - now);
  const seconds = remainingMs === null ? null : Math.ceil(remainingMs / 1000);
  const lastNotifiedEnd = useRef<number>(undefined);

  useEffect(() => {
    if (seconds === null) return;
    if (ANNOUNCED_SECONDS.includes(seconds)) announce(t("left", { seconds }));
    if (seconds === 0 && lastNotifiedEnd.current !== endsAt) {
      lastNotifiedEnd.current = endsAt;
      onEnd?.();
    }
  }, [seconds, endsAt, onEnd, t]);

  return (
    <span role="timer" aria-live="off" dir="ltr" className="inline-block tabular-nums">
      {remainingMs === null ? "–:––" : formatDuration(remainingMs)}
    </span>
  );
}
