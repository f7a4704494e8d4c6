import { log } from "@/server/core/log";
import { fromNow } from "@/server/core/time";

/** How something outside is tried again. */
export interface Retries {
  /** What the log calls it: `mail` makes `mail.retry` and `mail.gave_up`. */
  event: string;
  /** Milliseconds until the next attempt, by the number of attempts made; the last one repeats. */
  pauses: readonly number[];
  /** Milliseconds after which it is given up. */
  life: number;
  /** How loudly giving up is told; a warning unless somebody has to act. */
  level?: "warn" | "error";
}

export interface FailedAttempt {
  /** Attempts before this one. */
  attempts: number;
  createdAt: Date;
  reason: string;
  /** Another attempt would end the same way. */
  lasting?: boolean;
  /** Names the thing in the log. */
  about: Record<string, unknown>;
}

/** Logs a failed attempt and returns when the next one is due; undefined when there is none. */
export function nextAttempt(
  { event, pauses, life, level = "warn" }: Retries,
  { attempts, createdAt, reason, lasting = false, about }: FailedAttempt,
): Date | undefined {
  const over = lasting || createdAt.getTime() < Date.now() - life;
  const line = { ...about, attempts: attempts + 1, reason };
  if (over) log[level]({ event: `${event}.gave_up`, ...line });
  else log.warn({ event: `${event}.retry`, ...line });
  return over ? undefined : fromNow(pauses[Math.min(attempts, pauses.length - 1)]!);
}
