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
