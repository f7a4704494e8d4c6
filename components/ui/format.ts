import { createDateTimeFormat, type Locale, toLanguageTag } from "@/server/core/locale";
import { findSupportedZone } from "@/server/core/zones";

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

const DAY_MS = 86_400_000;
const intlObjectCache = new Map<string, unknown>();

/** Caches Intl objects, which are expensive to create. */
function getOrCreate<T>(key: string, create: () => T): T {
  let value = intlObjectCache.get(key) as T | undefined;
  if (value === undefined) {
    value = create();
    intlObjectCache.set(key, value);
  }
  return value;
}

/** Formats integers below 1,000 without Intl: the first `Intl.NumberFormat` takes more than 20 ms. */
export function formatSmallInteger(value: number | bigint): string | undefined {
  return value >= 0 && value < 1000 && (typeof value === "bigint" || Number.isInteger(value))
    ? String(value)
    : undefined;
}

export function createFormatter({ locale, timeZone, hourCycle, dateFormat, weekStart }: FormatSettings) {
  const localeTag = toLanguageTag(locale);

  const getNumberFormat = (options: Intl.NumberFormatOptions = {}) =>
    getOrCreate(`number ${localeTag}${JSON.stringify(options)}`, () =>
      createNumberFormat(localeTag, options),
    );
  const getDateFormat = (options: Intl.DateTimeFormatOptions) => {
    const allOptions = { timeZone, ...(hourCycle && options.timeStyle ? { hourCycle } : {}), ...options };
    return getOrCreate(`date ${localeTag}${JSON.stringify(allOptions)}`, () =>
      createDateFormat(localeTag, allOptions),
    );
  };

  const formatNumericDate = (value: DateInput, order: DateFormat, zone = timeZone) => {
    const parts = getDateFormat({
      day: "2-digit",
      month: "2-digit",
      year: "numeric",
      timeZone: zone,
      calendar: "gregory",
    })
      .formatToParts(new Date(value))
      .map(({ type, value: text }) => [type, text]);
    const { day, month, year } = Object.fromEntries(parts) as Record<"day" | "month" | "year", string>;
    if (order === "ymd") return `${year}-${month}-${day}`;
    return (order === "dmy" ? [day, month, year] : [month, day, year]).join(
      DOT_SEPARATED_LOCALES.has(locale) ? "." : "/",
    );
  };
  const formatDate = (value: DateInput, options: Intl.DateTimeFormatOptions) => {
    const { dateStyle, timeStyle, ...otherOptions } = options;
    if (!dateFormat || dateStyle === "long") return getDateFormat(options).format(new Date(value));
    const day = formatNumericDate(value, dateFormat, options.timeZone);
    return timeStyle
      ? `${day} ${getDateFormat({ timeStyle, ...otherOptions }).format(new Date(value))}`
      : day;
  };

  return {
    /** Cache key of formatted texts: formatters with the same key format alike. */
    cacheKey: [locale, timeZone, hourCycle, dateFormat].join(),
    number: (value: number | bigint, options?: Intl.NumberFormatOptions) =>
      (options ? undefined : formatSmallInteger(value)) ?? getNumberFormat(options).format(value),
    percent: (share: number) => getNumberFormat({ style: "percent", maximumFractionDigits: 1 }).format(share),
    /** `exact` always shows two decimals, for statements and invoices. */
    money: (amount: number, currency = "TRY", { exact = false } = {}) =>
      getNumberFormat({
        style: "currency",
        currency,
        currencyDisplay: "narrowSymbol",
        ...(exact ? {} : { trailingZeroDisplay: "stripIfInteger" }),
      }).format(amount),
    /** 1 MB is 1,048,576 bytes, as in the upload limits. */
    bytes: (size: number) => {
      const units = ["byte", "kilobyte", "megabyte", "gigabyte"] as const;
      const unitIndex = Math.min(Math.floor(Math.log2(Math.max(size, 1)) / 10), units.length - 1);
      const options = {
        style: "unit",
        unit: units[unitIndex],
        // The unit "byte" is written out, so that it gets a plural.
        unitDisplay: unitIndex === 0 ? "long" : "short",
        maximumFractionDigits: 1,
      } as const;
      return getNumberFormat(options).format(size / 1024 ** unitIndex);
    },
    date: (value: DateInput, style: "short" | "medium" | "long" = "medium") =>
      formatDate(value, { dateStyle: style }),
    /** Formats a calendar date such as `2027-11-20` without a time zone shift. */
    day: (day: string) => formatDate(day, { dateStyle: "medium", timeZone: "UTC" }),
    /** Current date in the zone, such as `2027-11-20`. */
    today: (now: DateInput) => formatNumericDate(now, "ymd"),
    month: (value: DateInput) => getDateFormat({ month: "long", year: "numeric" }).format(new Date(value)),
    /** Short labels of a chart's axis. */
    dayAndMonth: (value: DateInput) =>
      getDateFormat({ day: "numeric", month: "short" }).format(new Date(value)),
    shortMonth: (value: DateInput) =>
      getDateFormat({ month: "short", year: "2-digit" }).format(new Date(value)),
    monthName: (value: DateInput) => getDateFormat({ month: "long" }).format(new Date(value)),
    weekday: (value: DateInput, style: "short" | "long") =>
      getDateFormat({ weekday: style }).format(new Date(value)),
    /** First day of the week, numbered like `Date`: 0 is Sunday. */
    weekStart: WEEKDAY_INDEX[weekStart ?? DEFAULT_WEEK_STARTS[locale] ?? "monday"],
    time: (value: DateInput) => getDateFormat({ timeStyle: "short" }).format(new Date(value)),
    /** Time of day as in files: 09:05. */
    clock: (value: DateInput) =>
      getDateFormat({ hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(new Date(value)),
    dateTime: (value: DateInput, options: Intl.DateTimeFormatOptions = {}) =>
      formatDate(value, { dateStyle: "medium", timeStyle: "short", ...options }),
    utc: (value: DateInput) =>
      formatDate(value, { dateStyle: "medium", timeStyle: "medium", timeZone: "UTC" }),
    /** Short name of the zone, such as GMT+3. */
    zone: (value: DateInput) =>
      getDateFormat({ timeZoneName: "short" })
        .formatToParts(new Date(value))
        .find(({ type }) => type === "timeZoneName")?.value ?? timeZone,
    relativeTime: ([count, unit]: RelativeTime) =>
      withFallback(
        () =>
          getOrCreate(
            `relative ${localeTag}`,
            () => new Intl.RelativeTimeFormat(localeTag, { numeric: "auto" }),
          ).format(count, unit),
        () => getNumberFormat({ style: "unit", unit, unitDisplay: "long" }).format(Math.abs(count)),
      ),
    list: (items: readonly string[], type: "conjunction" | "disjunction" = "conjunction") =>
      withFallback(
        () =>
          getOrCreate(`list ${localeTag} ${type}`, () => new Intl.ListFormat(localeTag, { type })).format(
            items,
          ),
        () => items.join(", "),
      ),
    region: (code: string) =>
      withFallback(
        () =>
          getOrCreate(`region ${localeTag}`, () => new Intl.DisplayNames(localeTag, { type: "region" })).of(
            code,
          ) ?? code,
        () => code,
      ),
    language: (code: string) =>
      withFallback(
        () =>
          getOrCreate(
            `language ${localeTag}`,
            () => new Intl.DisplayNames(localeTag, { type: "language" }),
          ).of(code) ?? code,
        () => code,
      ),
    compare: (a: string, b: string) =>
      getOrCreate(`collator ${localeTag}`, () => new Intl.Collator(localeTag, { numeric: true })).compare(
        a,
        b,
      ),
    /** Follows the rules of the language: i becomes İ in Turkish. */
    upper: (text: string) => text.toLocaleUpperCase(locale),
    lower: (text: string) => text.toLocaleLowerCase(locale),
  };
}

/** Uses the fallback when `Intl` throws, as for values that the browser does not know. */
function withFallback<T>(format: () => T, fallback: () => T): T {
  try {
    return format();
  } catch {
    return fallback();
  }
}

/** Falls back to another name of the time zone, then to the browser's zone. */
function createDateFormat(localeTag: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return withFallback(
    () => createDateTimeFormat(localeTag, options),
    () => {
      const timeZone = (options.timeZone && findSupportedZone(options.timeZone)) || undefined;
      return createDateTimeFormat(localeTag, { ...options, timeZone });
    },
  );
}

function createNumberFormat(
  localeTag: string,
  options: Intl.NumberFormatOptions,
): Pick<Intl.NumberFormat, "format"> {
  return withFallback<Pick<Intl.NumberFormat, "format">>(
    () => new Intl.NumberFormat(localeTag, options),
    () => {
      const { currency = "", unit = "", maximumFractionDigits } = options;
      const plainFormat = new Intl.NumberFormat(localeTag, { maximumFractionDigits });
      return { format: (value) => `${plainFormat.format(value)}\u00a0${currency}${unit}`.trim() };
    },
  );
}

const DOT_SEPARATED_LOCALES: ReadonlySet<string> = new Set(["tr", "de", "ru"]);

const WEEKDAY_INDEX = { sunday: 0, monday: 1, saturday: 6 } as const;
const DEFAULT_WEEK_STARTS: Partial<Record<Locale, WeekStart>> = { ar: "saturday" };

type RelativeTime = [count: number, unit: keyof typeof UNIT_MS | "second"];
const UNIT_MS = { day: DAY_MS, hour: 3_600_000, minute: 60_000 };

/** Converts to the largest fitting unit. Returns null from seven days on: callers then show the date. */
export function toRelativeTime(value: DateInput, now: number): RelativeTime | null {
  const differenceMs = new Date(value).getTime() - now;
  const absoluteMs = Math.abs(differenceMs);
  if (absoluteMs >= 7 * DAY_MS) return null;
  const unit = (["day", "hour", "minute"] as const).find((each) => absoluteMs >= UNIT_MS[each]);
  return unit ? [Math.round(differenceMs / UNIT_MS[unit]), unit] : [0, "second"];
}

/** Formats a duration as 9:05, or 1:02:30 from one hour on. */
export function formatDuration(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60].map((part) => String(part).padStart(2, "0"));
  const hours = Math.floor(seconds / 3600);
  return hours > 0 ? `${hours}:${parts.join(":")}` : `${Math.floor(seconds / 60)}:${parts[1]}`;
}

/** Compares words without case; Turkish İ, I, ı and i are equal. */
export function isSameWord(input: string, expected: string): boolean {
  const fold = (text: string) => text.trim().normalize("NFKC").replace(/[İIı]/g, "i").toLowerCase();
  return fold(input) === fold(expected);
}
