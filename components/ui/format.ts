import type { Locale } from "@/server/core/locale";
import { knownZone } from "@/server/core/zones";

/** The only module that calls Intl: locale and zone are always given, so server and browser agree. */

export type DateInput = Date | string | number;
type HourCycle = "h12" | "h23";
type DateFormat = "dmy" | "mdy" | "ymd";
type WeekStart = "monday" | "saturday" | "sunday";

export interface FormatSettings {
  locale: Locale;
  timeZone: string;
  hourCycle?: HourCycle;
  /** The order of day, month and year where dates are shown in short; the language's own unless given. */
  dateFormat?: DateFormat;
  /** The first day of a week; the language's own unless given. */
  weekStart?: WeekStart;
}

const DAY = 86_400_000;
const cache = new Map<string, unknown>();

/** Intl objects are far more expensive to create than to use. */
function once<T>(key: string, make: () => T): T {
  let made = cache.get(key) as T | undefined;
  if (made === undefined) {
    made = make();
    cache.set(key, made);
  }
  return made;
}

/**
 * A whole number below a thousand, which every language of ours writes alike; undefined for any other. A browser takes
 * 20 ms and more to make its first `Intl.NumberFormat`, and most pages show no other number.
 */
export function digits(value: number | bigint): string | undefined {
  return value >= 0 && value < 1000 && (typeof value === "bigint" || Number.isInteger(value))
    ? String(value)
    : undefined;
}

/** Arabic with Latin digits: numbers, codes and prices read the same in every language. */
function intlLocale(locale: Locale): string {
  return locale === "ar" ? "ar-u-nu-latn" : locale;
}

/** Numbers, money, dates and names in one language and zone. */
export function formatter({ locale, timeZone, hourCycle, dateFormat, weekStart }: FormatSettings) {
  const tag = intlLocale(locale);

  const numbers = (options: Intl.NumberFormatOptions = {}) =>
    once(`n${tag}${JSON.stringify(options)}`, () => makeNumberFormat(tag, options));
  const dates = (options: Intl.DateTimeFormatOptions) => {
    const full = { timeZone, ...(hourCycle && options.timeStyle ? { hourCycle } : {}), ...options };
    return once(`d${tag}${JSON.stringify(full)}`, () => makeDateFormat(tag, full));
  };

  /** A day in digits, in the order that the reader chose. */
  const inDigits = (value: DateInput, order: DateFormat, zone = timeZone) => {
    const parts = dates({
      day: "2-digit",
      month: "2-digit",
      year: "numeric",
      timeZone: zone,
      calendar: "gregory",
    })
      .formatToParts(new Date(value))
      .map(({ type, value: digits }) => [type, digits]);
    const { day, month, year } = Object.fromEntries(parts) as Record<"day" | "month" | "year", string>;
    if (order === "ymd") return `${year}-${month}-${day}`;
    return (order === "dmy" ? [day, month, year] : [month, day, year]).join(DOTTED.has(locale) ? "." : "/");
  };
  const asChosen = (value: DateInput, options: Intl.DateTimeFormatOptions) => {
    const { dateStyle, timeStyle, ...rest } = options;
    if (!dateFormat || dateStyle === "long") return dates(options).format(new Date(value));
    const day = inDigits(value, dateFormat, options.timeZone);
    return timeStyle ? `${day} ${dates({ timeStyle, ...rest }).format(new Date(value))}` : day;
  };

  return {
    /** The same for formatters that write alike. */
    key: [locale, timeZone, hourCycle, dateFormat].join(),
    number: (value: number | bigint, options?: Intl.NumberFormatOptions) =>
      (options ? undefined : digits(value)) ?? numbers(options).format(value),
    percent: (share: number) => numbers({ style: "percent", maximumFractionDigits: 1 }).format(share),
    /** `exact` always shows two digits, for statements and invoices. */
    money: (amount: number, currency = "TRY", { exact = false } = {}) =>
      numbers({
        style: "currency",
        currency,
        currencyDisplay: "narrowSymbol",
        ...(exact ? {} : { trailingZeroDisplay: "stripIfInteger" }),
      }).format(amount),
    /** A megabyte is 1,048,576 bytes, as it is in the limits. */
    bytes: (size: number) => {
      const units = ["byte", "kilobyte", "megabyte", "gigabyte"] as const;
      const step = Math.min(Math.floor(Math.log2(Math.max(size, 1)) / 10), units.length - 1);
      const options = {
        style: "unit",
        unit: units[step],
        // A unit that is a word has a plural.
        unitDisplay: step === 0 ? "long" : "short",
        maximumFractionDigits: 1,
      } as const;
      return numbers(options).format(size / 1024 ** step);
    },
    date: (value: DateInput, style: "short" | "medium" | "long" = "medium") =>
      asChosen(value, { dateStyle: style }),
    /** A day of a calendar, `2027-11-20`, which is the same one in every zone. */
    day: (day: string) => asChosen(day, { dateStyle: "medium", timeZone: "UTC" }),
    /** The day that it is in the zone, `2027-11-20`. */
    today: (now: DateInput) => inDigits(now, "ymd"),
    /** "November 2026" */
    month: (value: DateInput) => dates({ month: "long", year: "numeric" }).format(new Date(value)),
    /** "November" */
    monthName: (value: DateInput) => dates({ month: "long" }).format(new Date(value)),
    weekday: (value: DateInput, style: "short" | "long") => dates({ weekday: style }).format(new Date(value)),
    /** The first day of a week as `Date` counts them: 0 is Sunday. */
    weekStart: WEEKDAY[weekStart ?? WEEK_STARTS[locale] ?? "monday"],
    time: (value: DateInput) => dates({ timeStyle: "short" }).format(new Date(value)),
    dateTime: (value: DateInput, options: Intl.DateTimeFormatOptions = {}) =>
      asChosen(value, { dateStyle: "medium", timeStyle: "short", ...options }),
    utc: (value: DateInput) => asChosen(value, { dateStyle: "medium", timeStyle: "medium", timeZone: "UTC" }),
    /** The zone's own name, such as GMT+3. */
    zone: (value: DateInput) =>
      dates({ timeZoneName: "short" })
        .formatToParts(new Date(value))
        .find(({ type }) => type === "timeZoneName")?.value ?? timeZone,
    /** "3 hours ago" */
    ago: ([count, unit]: Distance) =>
      orElse(
        () =>
          once(`r${tag}`, () => new Intl.RelativeTimeFormat(tag, { numeric: "auto" })).format(count, unit),
        () => numbers({ style: "unit", unit, unitDisplay: "long" }).format(Math.abs(count)),
      ),
    list: (items: readonly string[], type: "conjunction" | "disjunction" = "conjunction") =>
      orElse(
        () => once(`l${tag}${type}`, () => new Intl.ListFormat(tag, { type })).format(items),
        () => items.join(", "),
      ),
    region: (code: string) =>
      orElse(
        () => once(`g${tag}`, () => new Intl.DisplayNames(tag, { type: "region" })).of(code) ?? code,
        () => code,
      ),
    language: (code: string) =>
      orElse(
        () => once(`a${tag}`, () => new Intl.DisplayNames(tag, { type: "language" })).of(code) ?? code,
        () => code,
      ),
    compare: (a: string, b: string) =>
      once(`c${tag}`, () => new Intl.Collator(tag, { numeric: true })).compare(a, b),
    /** Initials and other display forms: i becomes İ only where the language says so. */
    upper: (text: string) => text.toLocaleUpperCase(locale),
    lower: (text: string) => text.toLocaleLowerCase(locale),
  };
}

/** `Intl` throws for values that a browser does not know. */
function orElse<T>(write: () => T, fallback: () => T): T {
  try {
    return write();
  } catch {
    return fallback();
  }
}

/** In the browser's own zone when it does not know the one that is asked for. */
function makeDateFormat(tag: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return orElse(
    () => new Intl.DateTimeFormat(tag, options),
    () => {
      const timeZone = (options.timeZone && knownZone(options.timeZone)) || undefined;
      return new Intl.DateTimeFormat(tag, { ...options, timeZone });
    },
  );
}

/** With the code of an unknown currency or unit behind the number. */
function makeNumberFormat(tag: string, options: Intl.NumberFormatOptions): Pick<Intl.NumberFormat, "format"> {
  return orElse<Pick<Intl.NumberFormat, "format">>(
    () => new Intl.NumberFormat(tag, options),
    () => {
      const { currency = "", unit = "", maximumFractionDigits } = options;
      const plain = new Intl.NumberFormat(tag, { maximumFractionDigits });
      return { format: (value) => `${plain.format(value)}\u00a0${currency}${unit}`.trim() };
    },
  );
}

/** Languages that write dates of digits with full stops. */
const DOTTED: ReadonlySet<string> = new Set(["tr", "de", "ru"]);

const WEEKDAY = { sunday: 0, monday: 1, saturday: 6 } as const;
/** Where weeks do not begin on a Monday. */
const WEEK_STARTS: Partial<Record<Locale, WeekStart>> = { ar: "saturday", en: "sunday" };

type Distance = [count: number, unit: keyof typeof UNIT | "second"];
const UNIT = { day: DAY, hour: 3_600_000, minute: 60_000 };

/** How far away a moment is in the largest unit that fits; null from seven days on, where the date is more useful. */
export function distanceTo(value: DateInput, now: number): Distance | null {
  const distance = new Date(value).getTime() - now;
  const size = Math.abs(distance);
  if (size >= 7 * DAY) return null;
  const unit = (["day", "hour", "minute"] as const).find((each) => size >= UNIT[each]);
  return unit ? [Math.round(distance / UNIT[unit]), unit] : [0, "second"];
}

/** A duration as a clock: 9:05, or 1:02:30 from one hour on. */
export function clock(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60].map((part) => String(part).padStart(2, "0"));
  const hours = Math.floor(seconds / 3600);
  return hours > 0 ? `${hours}:${parts.join(":")}` : `${Math.floor(seconds / 60)}:${parts[1]}`;
}

/** Compares typed words: Turkish İ, I, ı and i count as one letter, and case is ignored. */
export function sameWord(typed: string, expected: string): boolean {
  const fold = (text: string) => text.trim().normalize("NFKC").replace(/[İIı]/g, "i").toLowerCase();
  return fold(typed) === fold(expected);
}
