import { createDateTimeFormat, type Locale, toLanguageTag } from "./locale";

/* Cached formatters: creating one takes longer than a database query. */

/** A date formatter takes about 50 kB, and every time zone needs its own. */
const MAX_CACHED_FORMATTERS = 200;

const dateFormatters = new Map<string, Intl.DateTimeFormat>();
const numberFormatters = new Map<string, Intl.NumberFormat>();

export function getDateFormat(locale: Locale, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return getOrCreate(dateFormatters, locale, options, () =>
    createDateTimeFormat(toLanguageTag(locale), options),
  );
}

export function getNumberFormat(locale: Locale, options: Intl.NumberFormatOptions = {}): Intl.NumberFormat {
  return getOrCreate(
    numberFormatters,
    locale,
    options,
    () => new Intl.NumberFormat(toLanguageTag(locale), options),
  );
}

/** Joins items: "a, b and c". */
export function formatList(locale: Locale, items: readonly string[]): string {
  return new Intl.ListFormat(toLanguageTag(locale), { type: "conjunction" }).format(items);
}

function getOrCreate<T>(formatters: Map<string, T>, locale: Locale, options: object, create: () => T): T {
  const key = `${locale}${JSON.stringify(options)}`;
  const existing = formatters.get(key);
  if (existing) return existing;
  const formatter = create();
  if (formatters.size >= MAX_CACHED_FORMATTERS) formatters.clear();
  formatters.set(key, formatter);
  return formatter;
}
