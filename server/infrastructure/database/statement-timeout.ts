import { AsyncContext } from "@/server/core/async-context";
import { env } from "@/server/core/env";
import { lazyValue } from "@/server/core/lazy-value";
import { SECOND } from "@/server/core/time";

const timeoutOverrideMs = new AsyncContext<number>();

/** `isStrained` after a statement timed out, until the next one gets a response. */
const databaseState = lazyValue(() => ({ isStrained: false }));

/** Divides the timeout while strained, so that callers do not wait for a full timeout each. */
const STRAINED_TIMEOUT_DIVISOR = 5;

/** Statement timeout of jobs: above `statement_timeout`, so that it applies only when PostgreSQL hangs. */
export const JOB_STATEMENT_TIMEOUT_MS = 35 * SECOND;

/** Returns the current timeout for a statement or a connection, in milliseconds. */
export function getStatementTimeoutMs(): number {
  const configuredMs = env().DATABASE_TIMEOUT * SECOND;
  return (
    timeoutOverrideMs.get() ??
    (databaseState().isStrained ? Math.max(SECOND, configuredMs / STRAINED_TIMEOUT_DIVISOR) : configuredMs)
  );
}

export function withStatementTimeout<T>(timeoutMs: number, work: () => Promise<T>): Promise<T> {
  return timeoutOverrideMs.run(timeoutMs, work);
}

/** Records whether a statement got a response; an error is one, too. */
export function recordHasResponded(hasResponded: boolean): void {
  databaseState().isStrained = !hasResponded;
}
