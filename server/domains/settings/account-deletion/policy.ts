import { getEndOfDay, toTurkishDay } from "@/server/core/calendar";

/** Retention in whole years after the year of the deletion. */
export const RETENTION_YEARS = 10;

/** Uses Turkish time: Turkish law applies. */
export function getRetentionEnd(deletedAt: Date): Date {
  const year = Number(toTurkishDay(deletedAt).slice(0, 4)) + RETENTION_YEARS;
  return getEndOfDay(`${year}-12-31`, { plusDays: 0 });
}
