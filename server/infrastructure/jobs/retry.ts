import { log } from "@/server/core/log";
import { fromNow } from "@/server/core/time";

export interface RetryPolicy {
  /** Prefix of log events: `mail` logs `mail.retry` and `mail.gave_up`. */
  event: string;
  /** Milliseconds to wait, by number of previous attempts; the last value repeats. */
  backoff: readonly number[];
  /** Milliseconds since creation after which retries end. */
  maxAge: number;
  /** Log level once retries are exhausted: `error` if someone must act. Default `warn`. */
  level?: "warn" | "error";
}

export interface FailedAttempt {
  previousAttempts: number;
  createdAt: Date;
  reason: string;
  isPermanent?: boolean;
  /** Fields for the log, such as the mail's id. */
  context: Record<string, unknown>;
}

/** Logs a failed attempt and returns the time of the next one; undefined if retries have ended. */
export function planRetry(
  { event, backoff, maxAge, level = "warn" }: RetryPolicy,
  { previousAttempts: attempts, createdAt, reason, isPermanent = false, context }: FailedAttempt,
): Date | undefined {
  const hasEnded = isPermanent || createdAt.getTime() < Date.now() - maxAge;
  const logFields = { ...context, attempts: attempts + 1, reason };
  if (hasEnded) log[level]({ event: `${event}.gave_up`, ...logFields });
  else log.warn({ event: `${event}.retry`, ...logFields });
  return hasEnded ? undefined : fromNow(backoff[Math.min(attempts, backoff.length - 1)]!);
}
