import { AsyncLocalStorage } from "node:async_hooks";
import type { AppError } from "@/server/core/errors";

/** What kept one page from being made. */
export interface Outage {
  failure?: AppError;
}

/** On globalThis: the server's bundle and that of the pages each have a copy of this module. */
const shared = globalThis as { tellalOutage?: AsyncLocalStorage<Outage> };
shared.tellalOutage ??= new AsyncLocalStorage();
const current = shared.tellalOutage;

/** Runs what makes a page; a failure that is noted meanwhile ends up in `outage`. */
export function watching<T>(outage: Outage, work: () => T): T {
  return current.run(outage, work);
}

/** Notes, for the page under way, that the database is away or full: Next would only say 500. */
export function noteOutage(failure: AppError): void {
  const outage = current.getStore();
  if (outage && failure.status === 503) outage.failure = failure;
}
