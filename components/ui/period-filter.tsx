"use client";

import { CalendarDays } from "lucide-react";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { useRef, useState } from "react";
import { Button } from "./button";
import type { Period } from "./period";
import { PopupPlaceholder } from "./popups/popup-placeholder";
import type { PeriodFilterProps } from "./popups/props";
import { useFormat } from "./use-format";

const loadPopup = () => import("./popups/period-popup");
const PeriodPopup = dynamic(() => loadPopup().then((file) => file.PeriodPopup), {
  ssr: false,
  loading: PopupPlaceholder,
});

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
        onPointerEnter={loadPopup}
        onFocus={loadPopup}
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
