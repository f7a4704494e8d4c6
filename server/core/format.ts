/* Cached formatters: creating one takes longer than a database query. */

/** A date formatter takes about 50 kB, and every time zone needs its own. */
const CACHE_MAX = 200;

const dates = new Map<string, Intl.DateTimeFormat>();
const numbers = new Map<string, Intl.NumberFormat>();

export function dateFormat(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return cached(dates, locale, options, () => new Intl.DateTimeFormat(locale, options));
}

export function numberFormat(locale: string, options: Intl.NumberFormatOptions = {}): Intl.NumberFormat {
  return cached(numbers, locale, options, () => new Intl.NumberFormat(locale, options));
}

function cached<T>(formatters: Map<string, T>, locale: string, options: object, create: () => T): T {
  const key = `${locale}${JSON.stringify(options)}`;
  const existing = formatters.get(key);
  if (existing) return existing;
  const formatter = create();
  if (formatters.size >= CACHE_MAX) formatters.clear();
  formatters.set(key, formatter);
  return formatter;
}
