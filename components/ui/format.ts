import type { Locale } from "@/server/core/locale";
import { supportedZone } from "@/server/core/zones";

// The only module that calls Intl. Locale and zone are always explicit, so that server and browser agree.

export type DateInput = Date | string | number;
type HourCycle = "h12" | "h23";
type DateFormat = "dmy" | "mdy" | "ymd";
type WeekStart = "monday" | "saturday" | "sunday";

export interface FormatSettings {
  locale: Locale;
  timeZone: string;
  hourCycle?: HourCycle;
  /** Order of day, month and year in short dates; default: the language's. */
  dateFormat?: DateFormat;
  weekStart?: WeekStart;
}

const DAY = 86_400_000;
const cache = new Map<string, unknown>();

/** Caches Intl objects, which are expensive to create. */
function cached<T>(key: string, create: () => T): T {
  let value = cache.get(key) as T | undefined;
  if (value === undefined) {
    value = create();
    cache.set(key, value);
  }
  return value;
}

/** Formats numbers that are equal in all our languages. Avoids the first `Intl.NumberFormat` (over 20 ms). */
export function digits(value: number | bigint): string | undefined {
  return value >= 0 && value < 1000 && (typeof value === "bigint" || Number.isInteger(value))
    ? String(value)
    : undefined;
}

/** Arabic uses Latin digits, so that numbers, codes and prices look the same in every language. */
function intlLocale(locale: Locale): string {
  return locale === "ar" ? "ar-u-nu-latn" : locale;
}

export function formatter({ locale, timeZone, hourCycle, dateFormat, weekStart }: FormatSettings) {
  const tag = intlLocale(locale);

  const numbers = (options: Intl.NumberFormatOptions = {}) =>
    cached(`n${tag}${JSON.stringify(options)}`, () => makeNumberFormat(tag, options));
  const dates = (options: Intl.DateTimeFormatOptions) => {
    const full = { timeZone, ...(hourCycle && options.timeStyle ? { hourCycle } : {}), ...options };
    return cached(`d${tag}${JSON.stringify(full)}`, () => makeDateFormat(tag, full));
  };

  const numericDate = (value: DateInput, order: DateFormat, zone = timeZone) => {
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
    return (order === "dmy" ? [day, month, year] : [month, day, year]).join(
      DOT_SEPARATED.has(locale) ? "." : "/",
    );
  };
  const formatDate = (value: DateInput, options: Intl.DateTimeFormatOptions) => {
    const { dateStyle, timeStyle, ...rest } = options;
    if (!dateFormat || dateStyle === "long") return dates(options).format(new Date(value));
    const day = numericDate(value, dateFormat, options.timeZone);
    return timeStyle ? `${day} ${dates({ timeStyle, ...rest }).format(new Date(value))}` : day;
  };

  return {
    /** Equal for formatters with equal output. */
    key: [locale, timeZone, hourCycle, dateFormat].join(),
    number: (value: number | bigint, options?: Intl.NumberFormatOptions) =>
      (options ? undefined : digits(value)) ?? numbers(options).format(value),
    percent: (share: number) => numbers({ style: "percent", maximumFractionDigits: 1 }).format(share),
    /** `exact` always shows two decimals, for statements and invoices. */
    money: (amount: number, currency = "TRY", { exact = false } = {}) =>
      numbers({
        style: "currency",
        currency,
        currencyDisplay: "narrowSymbol",
        ...(exact ? {} : { trailingZeroDisplay: "stripIfInteger" }),
      }).format(amount),
    /** 1 MB is 1,048,576 bytes, as in the limits. */
    bytes: (size: number) => {
      const units = ["byte", "kilobyte", "megabyte", "gigabyte"] as const;
      const step = Math.min(Math.floor(Math.log2(Math.max(size, 1)) / 10), units.length - 1);
      const options = {
        style: "unit",
        unit: units[step],
        // Bytes are written out, with a plural.
        unitDisplay: step === 0 ? "long" : "short",
        maximumFractionDigits: 1,
      } as const;
      return numbers(options).format(size / 1024 ** step);
    },
    date: (value: DateInput, style: "short" | "medium" | "long" = "medium") =>
      formatDate(value, { dateStyle: style }),
    /** Formats a calendar date such as `2027-11-20` without a time zone shift. */
    day: (day: string) => formatDate(day, { dateStyle: "medium", timeZone: "UTC" }),
    /** Returns the current date in the zone as `2027-11-20`. */
    today: (now: DateInput) => numericDate(now, "ymd"),
    month: (value: DateInput) => dates({ month: "long", year: "numeric" }).format(new Date(value)),
    monthName: (value: DateInput) => dates({ month: "long" }).format(new Date(value)),
    weekday: (value: DateInput, style: "short" | "long") => dates({ weekday: style }).format(new Date(value)),
    /** Numbered like `Date`: 0 is Sunday. */
    weekStart: WEEKDAY[weekStart ?? WEEK_STARTS[locale] ?? "monday"],
    time: (value: DateInput) => dates({ timeStyle: "short" }).format(new Date(value)),
    dateTime: (value: DateInput, options: Intl.DateTimeFormatOptions = {}) =>
      formatDate(value, { dateStyle: "medium", timeStyle: "short", ...options }),
    utc: (value: DateInput) =>
      formatDate(value, { dateStyle: "medium", timeStyle: "medium", timeZone: "UTC" }),
    /** Short name of the zone, such as GMT+3. */
    zone: (value: DateInput) =>
      dates({ timeZoneName: "short" })
        .formatToParts(new Date(value))
        .find(({ type }) => type === "timeZoneName")?.value ?? timeZone,
    ago: ([count, unit]: Distance) =>
      withFallback(
        () =>
          cached(`r${tag}`, () => new Intl.RelativeTimeFormat(tag, { numeric: "auto" })).format(count, unit),
        () => numbers({ style: "unit", unit, unitDisplay: "long" }).format(Math.abs(count)),
      ),
    list: (items: readonly string[], type: "conjunction" | "disjunction" = "conjunction") =>
      withFallback(
        () => cached(`l${tag}${type}`, () => new Intl.ListFormat(tag, { type })).format(items),
        () => items.join(", "),
      ),
    region: (code: string) =>
      withFallback(
        () => cached(`g${tag}`, () => new Intl.DisplayNames(tag, { type: "region" })).of(code) ?? code,
        () => code,
      ),
    language: (code: string) =>
      withFallback(
        () => cached(`a${tag}`, () => new Intl.DisplayNames(tag, { type: "language" })).of(code) ?? code,
        () => code,
      ),
    compare: (a: string, b: string) =>
      cached(`c${tag}`, () => new Intl.Collator(tag, { numeric: true })).compare(a, b),
    /** By the rules of the language: i becomes İ in Turkish. */
    upper: (text: string) => text.toLocaleUpperCase(locale),
    lower: (text: string) => text.toLocaleLowerCase(locale),
  };
}

/** Uses the fallback when `Intl` throws, as it does for values that the browser does not know. */
function withFallback<T>(format: () => T, fallback: () => T): T {
  try {
    return format();
  } catch {
    return fallback();
  }
}

/** Falls back to another name of the zone, then to the browser's zone. */
function makeDateFormat(tag: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return withFallback(
    () => new Intl.DateTimeFormat(tag, options),
    () => {
      const timeZone = (options.timeZone && supportedZone(options.timeZone)) || undefined;
      return new Intl.DateTimeFormat(tag, { ...options, timeZone });
    },
  );
}

function makeNumberFormat(tag: string, options: Intl.NumberFormatOptions): Pick<Intl.NumberFormat, "format"> {
  return withFallback<Pick<Intl.NumberFormat, "format">>(
    () => new Intl.NumberFormat(tag, options),
    () => {
      const { currency = "", unit = "", maximumFractionDigits } = options;
      const plain = new Intl.NumberFormat(tag, { maximumFractionDigits });
      return { format: (value) => `${plain.format(value)}\u00a0${currency}${unit}`.trim() };
    },
  );
}

/** Languages that separate numeric dates with full stops. */
const DOT_SEPARATED: ReadonlySet<string> = new Set(["tr", "de", "ru"]);

const WEEKDAY = { sunday: 0, monday: 1, saturday: 6 } as const;
const WEEK_STARTS: Partial<Record<Locale, WeekStart>> = { ar: "saturday", en: "sunday" };

type Distance = [count: number, unit: keyof typeof UNIT | "second"];
const UNIT = { day: DAY, hour: 3_600_000, minute: 60_000 };

/** Returns the distance in the largest fitting unit; null from seven days on, where a date is more useful. */
export function distanceTo(value: DateInput, now: number): Distance | null {
  const distance = new Date(value).getTime() - now;
  const size = Math.abs(distance);
  if (size >= 7 * DAY) return null;
  const unit = (["day", "hour", "minute"] as const).find((each) => size >= UNIT[each]);
  return unit ? [Math.round(distance / UNIT[unit]), unit] : [0, "second"];
}

/** Formats a duration as 9:05, or 1:02:30 from one hour on. */
export function clock(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60].map((part) => String(part).padStart(2, "0"));
  const hours = Math.floor(seconds / 3600);
  return hours > 0 ? `${hours}:${parts.join(":")}` : `${Math.floor(seconds / 60)}:${parts[1]}`;
}

/** Compares typed words without case; Turkish İ, I, ı and i are equal. */
export function isSameWord(typed: string, expected: string): boolean {
  const fold = (text: string) => text.trim().normalize("NFKC").replace(/[İIı]/g, "i").toLowerCase();
  return fold(typed) === fold(expected);
}
