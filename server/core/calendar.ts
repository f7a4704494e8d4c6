import { HOUR } from "./time";

/* Calendar days in Turkey, as its laws and banks count them. UTC+3 all year since 2016. */

const UTC_OFFSET_MS = 3 * HOUR;

const toLocal = (moment: Date) => new Date(moment.getTime() + UTC_OFFSET_MS);

/** Returns the day in Turkey at a moment: `2027-11-20`. */
export function toTurkishDay(moment: Date): string {
  return toLocal(moment).toISOString().slice(0, 10);
}

/** Returns the day of a `date` column, which the driver reads as midnight UTC. */
export function columnToDay(column: Date): string {
  return column.toISOString().slice(0, 10);
}

/** Adds months and keeps the time of day; a day that the month lacks becomes its last day. */
export function addMonths(moment: Date, months: number): Date {
  const local = toLocal(moment);
  const day = local.getUTCDate();
  local.setUTCDate(1);
  local.setUTCMonth(local.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(local.getUTCFullYear(), local.getUTCMonth() + 1, 0)).getUTCDate();
  local.setUTCDate(Math.min(day, lastDay));
  return new Date(local.getTime() - UTC_OFFSET_MS);
}

/** Returns the last millisecond of the day `plus` days after `day`. */
export function getEndOfDay(day: string, { plusDays }: { plusDays: number }): Date {
  const midnight = new Date(`${day}T00:00:00.000Z`);
  midnight.setUTCDate(midnight.getUTCDate() + plusDays + 1);
  return new Date(midnight.getTime() - UTC_OFFSET_MS - 1);
}
