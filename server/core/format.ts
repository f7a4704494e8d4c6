/*
 * Formatters of dates and numbers, kept for the next use: making one takes longer than a statement of the database.
 */

/** How many are kept; one of a date holds some 50 kB, and every time zone is another. */
const KEPT_MAX = 200;

const dates = new Map<string, Intl.DateTimeFormat>();
const numbers = new Map<string, Intl.NumberFormat>();

/** A formatter of dates. Throws for an unknown locale or time zone. */
export function dateFormat(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return kept(dates, locale, options, () => new Intl.DateTimeFormat(locale, options));
}

/** A formatter of numbers. Throws for an unknown locale or currency. */
export function numberFormat(locale: string, options: Intl.NumberFormatOptions = {}): Intl.NumberFormat {
  return kept(numbers, locale, options, () => new Intl.NumberFormat(locale, options));
}

function kept<T>(formatters: Map<string, T>, locale: string, options: object, make: () => T): T {
  const key = `${locale}${JSON.stringify(options)}`;
  const known = formatters.get(key);
  if (known) return known;
  const made = make();
  if (formatters.size >= KEPT_MAX) formatters.clear();
  formatters.set(key, made);
  return made;
}
