"use client";

import { CalendarDays } from "lucide-react";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { useRef, useState } from "react";
import { Button } from "./button";
import type { PeriodFilterProps } from "./popups/props";
import { useFormat } from "./use-format";

const load = () => import("./popups/period-popup");
const PeriodPopup = dynamic(() => load().then((file) => file.PeriodPopup), { ssr: false });

/** Narrows a list to some days: a button that tells which, and a calendar behind it. */
export function PeriodFilter({ label, period, onChange }: PeriodFilterProps) {
  const t = useTranslations("ui.period");
  const format = useFormat();
  const [open, setOpen] = useState(false);
  const [wanted, setWanted] = useState(false);
  const anchor = useRef<HTMLButtonElement>(null);
  const from = period.from && format.day(period.from);
  const to = period.to && format.day(period.to);
  const days =
    from && to
      ? from === to
        ? from
        : `${from} – ${to}`
      : from
        ? t("since", { day: from })
        : to && t("until", { day: to });
  return (
    <>
      <Button
        ref={anchor}
        size="sm"
        icon={<CalendarDays />}
        aria-haspopup="dialog"
        aria-expanded={open}
        onPointerEnter={load}
        onFocus={load}
        onClick={() => {
          setWanted(true);
          setOpen(!open);
        }}
      >
        {days ? `${label}: ${days}` : label}
      </Button>
      {wanted ? (
        <PeriodPopup
          open={open}
          onOpenChange={setOpen}
          anchor={anchor}
          label={label}
          period={period}
          onChange={onChange}
        />
      ) : null}
    </>
  );
}
