import { Ambient } from "@/server/core/ambient";
import { env } from "@/server/core/env";
import { kept } from "@/server/core/kept";
import { SECOND } from "@/server/core/time";

const given = new Ambient<number>();

/** Since a statement got no response in time, until the next one gets one. */
const standing = kept(() => ({ strained: false }));

/** Waits of those who follow a statement that got no response, so that nobody waits twice. */
const SHORTENED = 5;

/** Jobs wait longer than PostgreSQL lets a statement run, and end only when it does not respond at all. */
export const JOB_PATIENCE = 35 * SECOND;

/** Milliseconds that a statement, or the wait for a connection, may take from now on. */
export function patience(): number {
  const usual = env().DATABASE_TIMEOUT * SECOND;
  return given.get() ?? (standing().strained ? Math.max(SECOND, usual / SHORTENED) : usual);
}

/** Runs work whose statements may take this long each, instead of what a request allows them. */
export function withPatience<T>(milliseconds: number, work: () => Promise<T>): Promise<T> {
  return given.run(milliseconds, work);
}

/** Notes how a statement ended: with a response, be it an error, or without one. */
export function noteResponse(responded: boolean): void {
  standing().strained = !responded;
}
