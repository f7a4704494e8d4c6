import { findSupportedZone, RENAMED_ZONES } from "./zones";

/** Formats as ISO 8601 in UTC with microseconds, of which the last three digits are 0. */
export function toIsoMicros<T extends Date | null>(date: T): T extends Date ? string : null;
export function toIsoMicros(date: Date | null): string | null {
  return date && `${date.toISOString().slice(0, -1)}000Z`;
}

/* Durations in milliseconds. */
export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export function fromNow(milliseconds: number): Date {
  return new Date(Date.now() + milliseconds);
}

/** Returns whole seconds until a moment, at least 1, for Retry-After. */
export function secondsUntil(moment: Date): number {
  return Math.max(1, Math.ceil((moment.getTime() - Date.now()) / SECOND));
}

/** Returns a canonical zone name (`Turkey`: `Europe/Istanbul`); null for others, such as `+03:00`. */
export function toCanonicalZone(name: string): string | null {
  if (!/^[A-Za-z]/.test(name)) return null;
  const supported = findSupportedZone(name);
  if (supported === null) return null;
  const { timeZone: zone } = new Intl.DateTimeFormat("en", { timeZone: supported }).resolvedOptions();
  return RENAMED_ZONES[zone] ?? zone;
}
