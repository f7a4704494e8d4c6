/** A moment as the contract writes it: ISO 8601, UTC, microseconds. JavaScript knows milliseconds. */
export function isoMicros(date: Date): string {
  return `${date.toISOString().slice(0, -1)}000Z`;
}

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export function fromNow(milliseconds: number): Date {
  return new Date(Date.now() + milliseconds);
}

/** A zone that this machine knows by its IANA name, such as `Europe/Istanbul`; null for anything else. */
export function timeZone(name: string): string | null {
  if (!/^[A-Za-z]/.test(name)) return null;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }) && name;
  } catch {
    return null;
  }
}
