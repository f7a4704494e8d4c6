/** Whole years, after the year of the deletion, that kept rows are kept. */
export const KEPT_YEARS = 10;

/** The last moment of the tenth year after `from`, where the law is: in Turkey. */
export function keptUntil(from: Date): Date {
  return new Date(Date.UTC(from.getUTCFullYear() + KEPT_YEARS, 11, 31, 20, 59, 59, 999));
}
