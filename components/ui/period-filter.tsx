"use client";

import { CalendarDays } from "lucide-react";
import { useTranslations } from "next-intl";
import { useRef, useState } from "react";
import { Button } from "./button";
import { lazyPart, POPUP } from "./lazy-part";
import type { Period } from "./period";
import type { PeriodFilterProps } from "./popups/props";
import { useFormat } from "./use-format";

const PeriodPopup = lazyPart(() => import("./popups/period-popup").then((file) => file.PeriodPopup), POPUP);

export function PeriodFilter({ label, period, onChange }: PeriodFilterProps) {
  const [open, setOpen] = useState(false);
  const [hasOpened, setHasOpened] = useState(false);
  const anchor = useRef<HTMLButtonElement>(null);
  const periodText = usePeriodText(period);
  return (
    <div className="grid max-w-full grid-cols-1">
      <Button
        ref={anchor}
        size="sm"
        icon={<CalendarDays />}
        aria-haspopup="dialog"
        aria-expanded={open}
        onPointerEnter={PeriodPopup.preload}
        onFocus={PeriodPopup.preload}
        onClick={() => {
          setHasOpened(true);
          setOpen(!open);
        }}
      >
        <span className="truncate">{periodText ? `${label}: ${periodText}` : label}</span>
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

function usePeriodText(period: Period): string | null {
  const t = useTranslations("ui.period");
  const format = useFormat();
  const from = period.from && format.day(period.from);
  const to = period.to && format.day(period.to);
  if (from && to) return from === to ? from : `${from} – ${to}`;
  if (from) return t("since", { day: from });
  return to && t("until", { day: to });
}
