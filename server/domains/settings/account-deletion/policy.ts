import { dayOf, endOfDay } from "@/server/core/calendar";

/** Whole years after the year of the deletion that rows are kept. */
export const KEPT_YEARS = 10;

/** Returns the last moment of the tenth year after `from` in Turkey, whose law applies. */
export function keptUntil(from: Date): Date {
  const year = Number(dayOf(from).slice(0, 4)) + KEPT_YEARS;
  return endOfDay(`${year}-12-31`, { plus: 0 });
}
