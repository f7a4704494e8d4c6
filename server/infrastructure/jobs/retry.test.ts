import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { log } from "@/server/core/log";
import { MINUTE, SECOND } from "@/server/core/time";
import { planRetry, type RetryPolicy } from "./retry";

const NOW = new Date("2026-11-01T12:00:00Z");
const RETRIES: RetryPolicy = { event: "mail", backoff: [SECOND, 5 * SECOND], maxAge: 10 * MINUTE };
const failedAttempt = { previousAttempts: 0, createdAt: NOW, reason: "away", context: { mail: 7 } };

beforeEach(() => {
  vi.useFakeTimers({ now: NOW });
  vi.spyOn(log, "warn").mockReturnValue(undefined);
  vi.spyOn(log, "error").mockReturnValue(undefined);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const secondsUntil = (moment: Date | undefined) => moment && (moment.getTime() - NOW.getTime()) / SECOND;

test("increases the back-off and repeats the last one", () => {
  const delays = [0, 1, 2, 9].map((attempts) =>
    secondsUntil(planRetry(RETRIES, { ...failedAttempt, previousAttempts: attempts })),
  );
  expect(delays).toEqual([1, 5, 5, 5]);
  expect(log.warn).toHaveBeenLastCalledWith({ event: "mail.retry", mail: 7, attempts: 10, reason: "away" });
});

test("gives up after the maximum age or a permanent failure, at the configured log level", () => {
  const expiredAttempt = { ...failedAttempt, createdAt: new Date(NOW.getTime() - 10 * MINUTE - 1) };
  expect(planRetry(RETRIES, expiredAttempt)).toBeUndefined();
  expect(planRetry(RETRIES, { ...failedAttempt, isPermanent: true })).toBeUndefined();
  expect(log.warn).toHaveBeenCalledTimes(2);
  expect(planRetry({ ...RETRIES, level: "error" }, expiredAttempt)).toBeUndefined();
  expect(log.error).toHaveBeenCalledWith({ event: "mail.gave_up", mail: 7, attempts: 1, reason: "away" });
});

test("retries once more at exactly the maximum age", () => {
  const lastAttempt = { ...failedAttempt, createdAt: new Date(NOW.getTime() - 10 * MINUTE) };
  expect(secondsUntil(planRetry(RETRIES, lastAttempt))).toBe(1);
});
