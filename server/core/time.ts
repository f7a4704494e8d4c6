import { knownZone, RENAMED } from "./zones";
/**
 * Formats a moment as ISO 8601, UTC, with microseconds. JavaScript has milliseconds, so the last three digits are 0. Null
 * stays null.
 */
export function isoMicros<T extends Date | null>(date: T): T extends Date ? string : null;
export function isoMicros(date: Date | null): string | null {
  return date && `${date.toISOString().slice(0, -1)}000Z`;
}

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export function fromNow(milliseconds: number): Date {
  return new Date(Date.now() + milliseconds);
}

/** Whole seconds until a moment, at least 1: what a client is told to wait. */
export function secondsUntil(moment: Date): number {
  return Math.max(1, Math.ceil((moment.getTime() - Date.now()) / SECOND));
}

/**
 * Returns the canonical name of a time zone: `europe/istanbul` and `Turkey` are `Europe/Istanbul`. Null for anything
 * else, offsets such as `+03:00` included.
 */
export function timeZone(name: string): string | null {
  if (!/^[A-Za-z]/.test(name)) return null;
  const known = knownZone(name);
  if (known === null) return null;
  const { timeZone: zone } = new Intl.DateTimeFormat("en", { timeZone: known }).resolvedOptions();
  return RENAMED[zone] ?? zone;
}
