import { dayOf, endOfDay } from "@/server/core/calendar";

/** Retention in whole years after the year of the deletion. */
export const KEPT_YEARS = 10;

/** Returns the end of the retention period, in Turkish time: Turkish law applies. */
export function keptUntil(from: Date): Date {
  const year = Number(dayOf(from).slice(0, 4)) + KEPT_YEARS;
  return endOfDay(`${year}-12-31`, { plus: 0 });
}
