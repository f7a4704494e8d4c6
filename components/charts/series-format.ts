import type { createFormatter } from "@/components/ui/format";
import type { SeriesInterval, SeriesUnit } from "@/server/core/series";

type Format = ReturnType<typeof createFormatter>;

/** Formats a value by its unit; a dash for an unknown one. `compact` is for axes. */
export function formatValue(
  format: Format,
  value: number | null,
  { unit, currency, compact = false }: { unit: SeriesUnit; currency?: string | null; compact?: boolean },
): string {
  if (value === null) return "–";
  if (unit === "minor") {
    if (!compact) return format.money(value / 100, currency ?? "TRY");
    return format.number(value / 100, { notation: "compact", maximumFractionDigits: 1 });
  }
  if (unit === "milliseconds")
    return format.number(value, { style: "unit", unit: "millisecond", maximumFractionDigits: 0 });
  return compact
    ? format.number(value, { notation: "compact", maximumFractionDigits: 1 })
    : format.number(value);
}

/** Texts of a column, and its values for a file: amounts in units of the currency. */
export function formatColumn(
  format: Format,
  values: readonly (number | null)[],
  line: { unit: SeriesUnit; currency?: string | null },
) {
  const divisor = line.unit === "minor" ? 100 : 1;
  return {
    texts: values.map((value) => formatValue(format, value, line)),
    values: values.map((value) => value && value / divisor),
  };
}

/** Full label of an interval, for table and tooltip. */
export function formatInterval(format: Format, start: string, interval: SeriesInterval): string {
  if (interval === "hour") return format.dateTime(start);
  return interval === "month" ? format.month(start) : format.date(start);
}

/** Short label of an interval, for the axis. */
export function formatAxisLabel(format: Format, start: string, interval: SeriesInterval): string {
  if (interval === "hour") return format.time(start);
  return interval === "month" ? format.shortMonth(start) : format.dayAndMonth(start);
}

/** Interval as a spreadsheet reads it, in the reader's time zone: `2027-11-20`, `2027-11-20 14:00`, `2027-11`. */
export function toCsvInterval(format: Format, start: string, interval: SeriesInterval): string {
  const day = format.today(start);
  if (interval === "month") return day.slice(0, 7);
  return interval === "hour" ? `${day} ${format.clock(start)}` : day;
}
