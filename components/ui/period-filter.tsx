"use client";

import { CalendarDays } from "lucide-react";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { useRef, useState } from "react";
import { Button } from "./button";
import type { Period } from "./period";
import { Opening } from "./popups/opening";
import type { PeriodFilterProps } from "./popups/props";
import { useFormat } from "./use-format";

const load = () => import("./popups/period-popup");
const PeriodPopup = dynamic(() => load().then((file) => file.PeriodPopup), { ssr: false, loading: Opening });

/** Date range filter: a button with the current range that opens a calendar. */
export function PeriodFilter({ label, period, onChange }: PeriodFilterProps) {
  const [open, setOpen] = useState(false);
  const [hasOpened, setHasOpened] = useState(false);
  const anchor = useRef<HTMLButtonElement>(null);
  const days = useDays(period);
  return (
    // Two long dates do not fit on narrow screens.
    <div className="grid max-w-full grid-cols-1">
      <Button
        ref={anchor}
        size="sm"
        icon={<CalendarDays />}
        aria-haspopup="dialog"
        aria-expanded={open}
        onPointerEnter={load}
        onFocus={load}
        onClick={() => {
          setHasOpened(true);
          setOpen(!open);
        }}
      >
        <span className="truncate">{days ? `${label}: ${days}` : label}</span>
      </Button>
      {hasOpened ? (
        <PeriodPopup
          open={open}
          onOpenChange={setOpen}
          anchor={anchor}
          label={label}
          period={period}
          onChange={onChange}
        />
      ) : null}
    </div>
  );
}

/** Returns for example "Nov 10, 2026 – Nov 18, 2026"; null without a period. */
function useDays(period: Period): string | null {
  const t = useTranslations("ui.period");
  const format = useFormat();
  const from = period.from && format.day(period.from);
  const to = period.to && format.day(period.to);
  if (from && to) return from === to ? from : `${from} – ${to}`;
  if (from) return t("since", { day: from });
  return to && t("until", { day: to });
}
