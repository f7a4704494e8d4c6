import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { getNextAttemptAt } from "./service/dispatcher";
import { parseRetryAfter } from "./service/send";

const NOW = new Date("2027-11-20T12:00:00Z");
beforeEach(() => void vi.useFakeTimers({ now: NOW }));
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});
const toSecondsFromNow = (moment: Date | null) => moment && (moment.getTime() - NOW.getTime()) / 1000;
const failedAttempt = { failure: "status", retryAt: null } as const;

it("schedules eleven attempts within a day, each with up to 20% jitter", () => {
  const listPauses = (random: number) => {
    vi.spyOn(Math, "random").mockReturnValue(random);
    return Array.from({ length: 11 }, (_, attemptCount) =>
      toSecondsFromNow(getNextAttemptAt(attemptCount, failedAttempt)),
    );
  };
  const longestPauses = listPauses(0);
  // The default of WEBHOOK_RETRY_SECONDS.
  expect(longestPauses).toEqual([5, 30, 120, 600, 1800, 3600, 7200, 14_400, 28_800, 28_800, null]);
  expect(longestPauses.reduce<number>((sum, pause) => sum + (pause ?? 0), 0)).toBeLessThan(86_400);
  expect(listPauses(1).slice(0, 3)).toEqual([4, 24, 96]);
  expect(getNextAttemptAt(0, { failure: null, retryAt: null })).toBeNull();
});

it("extends a pause by Retry-After, but never shortens it", () => {
  vi.spyOn(Math, "random").mockReturnValue(0);
  const minutesFromNow = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000);
  expect(toSecondsFromNow(getNextAttemptAt(0, { ...failedAttempt, retryAt: minutesFromNow(60) }))).toBe(3600);
  expect(toSecondsFromNow(getNextAttemptAt(5, { ...failedAttempt, retryAt: minutesFromNow(1) }))).toBe(3600);
  expect(getNextAttemptAt(10, { ...failedAttempt, retryAt: minutesFromNow(60) })).toBeNull();
});

it.each([
  ["120", 120],
  ["999999999", 86_400],
  ["Sat, 20 Nov 2027 12:05:00 GMT", 300],
  ["Sat, 20 Nov 2027 11:00:00 GMT", null],
  ["0", null],
  ["-5", null],
  ["soon", null],
  ["", null],
  [undefined, null],
])("parses Retry-After %j", (header, expected) => {
  expect(toSecondsFromNow(parseRetryAfter(header, NOW))).toBe(expected);
});
