import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { log } from "@/server/core/log";
import { MINUTE, SECOND } from "@/server/core/time";
import { nextAttempt, type RetryPolicy } from "./retry";

const NOW = new Date("2026-11-01T12:00:00Z");
const RETRIES: RetryPolicy = { event: "mail", backoff: [SECOND, 5 * SECOND], maxAge: 10 * MINUTE };
const failed = { attempts: 0, createdAt: NOW, reason: "away", about: { mail: 7 } };

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
  const waits = [0, 1, 2, 9].map((attempts) => secondsUntil(nextAttempt(RETRIES, { ...failed, attempts })));
  expect(waits).toEqual([1, 5, 5, 5]);
  expect(log.warn).toHaveBeenLastCalledWith({ event: "mail.retry", mail: 7, attempts: 10, reason: "away" });
});

test("gives up after its life or a permanent failure, at the configured log level", () => {
  const old = { ...failed, createdAt: new Date(NOW.getTime() - 10 * MINUTE - 1) };
  expect(nextAttempt(RETRIES, old)).toBeUndefined();
  expect(nextAttempt(RETRIES, { ...failed, isPermanent: true })).toBeUndefined();
  expect(log.warn).toHaveBeenCalledTimes(2);
  expect(nextAttempt({ ...RETRIES, level: "error" }, old)).toBeUndefined();
  expect(log.error).toHaveBeenCalledWith({ event: "mail.gave_up", mail: 7, attempts: 1, reason: "away" });
});

test("retries once more at the very end of its life", () => {
  const last = { ...failed, createdAt: new Date(NOW.getTime() - 10 * MINUTE) };
  expect(secondsUntil(nextAttempt(RETRIES, last))).toBe(1);
});
