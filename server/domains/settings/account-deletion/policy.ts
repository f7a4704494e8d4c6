/** Whole years after the year of the deletion that rows are kept. */
export const KEPT_YEARS = 10;

/** Returns the last moment of the tenth year after `from` in Turkey, whose law applies. */
export function keptUntil(from: Date): Date {
  return new Date(Date.UTC(from.getUTCFullYear() + KEPT_YEARS, 11, 31, 20, 59, 59, 999));
}
