import { AsyncContext } from "@/server/core/async-context";
import { env } from "@/server/core/env";
import { lazyValue } from "@/server/core/lazy-value";
import { SECOND } from "@/server/core/time";

const timeoutOverride = new AsyncContext<number>();

/** `isStrained` after a statement timed out, until the next one gets a response. */
const database = lazyValue(() => ({ isStrained: false }));

/** Divides the timeout while strained, so that callers do not wait for a full timeout each. */
const STRAINED_DIVISOR = 5;

/** Statement timeout of jobs: above `statement_timeout`, so that it applies only when PostgreSQL hangs. */
export const JOB_STATEMENT_TIMEOUT_MS = 35 * SECOND;

/** Returns the current timeout for a statement or a connection, in milliseconds. */
export function getStatementTimeout(): number {
  const configured = env().DATABASE_TIMEOUT * SECOND;
  return (
    timeoutOverride.get() ??
    (database().isStrained ? Math.max(SECOND, configured / STRAINED_DIVISOR) : configured)
  );
}

export function withStatementTimeout<T>(milliseconds: number, work: () => Promise<T>): Promise<T> {
  return timeoutOverride.run(milliseconds, work);
}

/** Records whether a statement got a response; an error is one, too. */
export function recordResponse(hasResponded: boolean): void {
  database().isStrained = !hasResponded;
}
