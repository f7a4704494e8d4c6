"use client";

import { Popover } from "@base-ui/react/popover";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { type RefObject, useRef, useState } from "react";
import { type CustomComponents, DayPicker } from "react-day-picker";
import { buttonStyle } from "../button-style";
import { controlStyle } from "../control-style";
import { createFormatter } from "../format";
import { findPeriodName, getNamedPeriods } from "../period";
import { useFormat } from "../use-format";
import type { PeriodFilterProps } from "./props";
import { usePopupFocus } from "./use-popup-focus";

/** The API interprets dates in this zone, regardless of the reader's. */
const API_TIME_ZONE = "Europe/Istanbul";
const SELECTABLE_YEAR_COUNT = 10;

/** The calendar uses the browser's zone, where midnight may be missing when the clocks change. */
const toLocalDate = (day: string) => new Date(`${day}T12:00:00`);
const toDayText = (date: Date) =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, "0"))
    .join("-");

const DAY_PICKER_COMPONENTS: Partial<CustomComponents> = {
  Chevron: ({ orientation }) => (orientation === "left" ? <ChevronLeft /> : <ChevronRight />),
  Dropdown: ({ options, className: _, ...selectProps }) => (
    <select {...selectProps} className={controlStyle({ size: "sm" })}>
      {options?.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  ),
};

interface Props extends PeriodFilterProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  anchor: RefObject<HTMLElement | null>;
}

/** Predefined periods and a calendar: the first click selects a day, the second a range. */
export function PeriodPopup({ open, onOpenChange, anchor, label, period, onChange }: Props) {
  const t = useTranslations("ui.period");
  const popup = useRef<HTMLDivElement>(null);
  const focusProps = usePopupFocus({
    ...{ open, popup },
    getInitialTarget: () => popup.current?.querySelector("button"),
    getFinalTarget: () => anchor.current ?? true,
  });
  const locale = useLocale();
  const { weekStart } = useFormat();
  const today = createFormatter({ locale, timeZone: API_TIME_ZONE }).today(Date.now());
  const periods = getNamedPeriods(today, weekStart);
  const currentName = findPeriodName(period, periods);
  const choices = [
    { name: "any" as const, period: { from: null, to: null }, pressed: !period.from && !period.to },
    ...Object.entries(periods).map(([name, namedPeriod]) => ({
      name: name as keyof typeof periods,
      period: namedPeriod,
      pressed: name === currentName,
    })),
  ];
  return (
    <Popover.Root
      modal="trap-focus"
      open={open}
      onOpenChange={(next, details) => {
        if (!next && anchor.current?.contains(details.event.target as Node)) details.cancel();
        else onOpenChange(next);
      }}
    >
      <Popover.Portal>
        <Popover.Positioner
          anchor={anchor}
          align="start"
          sideOffset={6}
          collisionPadding={8}
          className="layer-menu"
        >
          <Popover.Popup
            ref={popup}
            aria-label={label}
            {...focusProps}
            className="popup-motion flex max-h-(--available-height) max-w-(--available-width) gap-3 overflow-y-auto rounded-card border border-border bg-raised p-3 shadow-2 outline-none max-sm:flex-col"
          >
            <ul aria-label={t("named")} className="flex gap-1 max-sm:flex-wrap sm:w-36 sm:flex-col">
              {choices.map(({ name, period: choicePeriod, pressed }) => (
                <li key={name} className="sm:w-full">
                  <Popover.Close
                    aria-pressed={pressed}
                    onClick={() => onChange(choicePeriod)}
                    className="min-h-control-small w-full rounded-control px-2.5 text-start text-sm hover:bg-sunken aria-pressed:bg-primary-soft aria-pressed:text-primary-text pointer-coarse:min-h-11"
                  >
                    {t(name)}
                  </Popover.Close>
                </li>
              ))}
            </ul>
            <DayCalendar period={period} today={today} onChange={onChange} />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

function DayCalendar({ period, today, onChange }: Pick<Props, "period" | "onChange"> & { today: string }) {
  const t = useTranslations("ui.period");
  const locale = useLocale();
  const { weekStart } = useFormat();
  // Calendar dates are formatted in UTC to avoid a time zone shift.
  const utcFormat = createFormatter({ locale, timeZone: "UTC" });
  const [firstDay, setFirstDay] = useState<string>();
  const currentYear = Number(today.slice(0, 4));

  function selectDay(day: string) {
    if (firstDay === undefined || firstDay === day) {
      setFirstDay(day);
      onChange({ from: day, to: day });
    } else {
      setFirstDay(undefined);
      onChange(firstDay < day ? { from: firstDay, to: day } : { from: day, to: firstDay });
    }
  }

  return (
    <DayPicker
      mode="range"
      lang={locale}
      dir={locale === "ar" ? "rtl" : "ltr"}
      weekStartsOn={weekStart}
      today={toLocalDate(today)}
      startMonth={toLocalDate(`${currentYear - SELECTABLE_YEAR_COUNT}-01-01`)}
      endMonth={toLocalDate(`${currentYear}-12-01`)}
      defaultMonth={toLocalDate(period.to ?? period.from ?? today)}
      captionLayout="dropdown"
      navLayout="around"
      showOutsideDays
      fixedWeeks
      selected={{
        from: period.from || period.to ? toLocalDate(period.from ?? "1970-01-01") : undefined,
        to: period.from || period.to ? toLocalDate(period.to ?? today) : undefined,
      }}
      onSelect={(_, date) => selectDay(toDayText(date))}
      formatters={{
        formatCaption: (date) => utcFormat.month(toDayText(date)),
        formatMonthDropdown: (date) => utcFormat.monthName(toDayText(date)),
        formatYearDropdown: (date) => String(date.getFullYear()),
        formatWeekdayName: (date) => utcFormat.weekday(toDayText(date), "short"),
        formatDay: (date) => String(date.getDate()),
      }}
      labels={{
        labelPrevious: () => t("previousMonth"),
        labelNext: () => t("nextMonth"),
        labelMonthDropdown: () => t("month"),
        labelYearDropdown: () => t("year"),
        labelGrid: (date) => utcFormat.month(toDayText(date)),
        labelWeekday: (date) => utcFormat.weekday(toDayText(date), "long"),
        labelDayButton: (date) =>
          `${utcFormat.weekday(toDayText(date), "long")}, ${utcFormat.date(toDayText(date), "long")}`,
      }}
      components={DAY_PICKER_COMPONENTS}
      classNames={{
        month: "grid grid-cols-[auto_1fr_auto] items-center gap-2",
        dropdowns: "grid grid-cols-[1fr_5rem] gap-2",
        button_previous: buttonStyle({ variant: "ghost", size: "iconSm" }),
        button_next: buttonStyle({ variant: "ghost", size: "iconSm" }),
        month_grid: "col-span-3 w-full border-collapse",
        weekday: "pb-1 font-normal text-caption text-fg-muted",
        day: "p-0 text-center text-sm",
        day_button: "size-9 rounded-control hover:bg-sunken pointer-coarse:size-11",
        outside: "text-fg-subtle",
        today: "font-semibold text-primary-text",
        selected: "bg-primary-soft",
        range_start:
          "rounded-s-control [&>button]:bg-primary [&>button]:text-primary-fg [&>button]:hover:bg-primary-hover",
        range_end:
          "rounded-e-control [&>button]:bg-primary [&>button]:text-primary-fg [&>button]:hover:bg-primary-hover",
      }}
    />
  );
}
