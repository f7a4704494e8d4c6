import { Ambient } from "@/server/core/ambient";
import { env } from "@/server/core/env";
import { lazyValue } from "@/server/core/lazy-value";
import { SECOND } from "@/server/core/time";

const override = new Ambient<number>();

/** `strained` after a statement timed out, until the next one gets a response. */
const state = lazyValue(() => ({ strained: false }));

/** Divides the timeout while strained, so that callers do not wait for a full timeout each. */
const STRAINED_DIVISOR = 5;

/** Statement timeout of jobs: above `statement_timeout`, so that it applies only when PostgreSQL hangs. */
export const JOB_STATEMENT_TIMEOUT = 35 * SECOND;

/** Returns the current timeout for a statement or a connection, in milliseconds. */
export function statementTimeout(): number {
  const usual = env().DATABASE_TIMEOUT * SECOND;
  return override.get() ?? (state().strained ? Math.max(SECOND, usual / STRAINED_DIVISOR) : usual);
}

export function withStatementTimeout<T>(milliseconds: number, work: () => Promise<T>): Promise<T> {
  return override.run(milliseconds, work);
}

/** Records whether a statement got a response; an error is one, too. */
export function recordResponse(responded: boolean): void {
  state().strained = !responded;
}
