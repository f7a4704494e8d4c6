import { AsyncLocalStorage } from "node:async_hooks";
import type { AppError } from "@/server/core/errors";

export interface Outage {
  failure?: AppError;
}

/** On globalThis: the bundles of the server and of the pages each contain this module. */
const processState = globalThis as { tellalOutage?: AsyncLocalStorage<Outage> };
processState.tellalOutage ??= new AsyncLocalStorage();
const outageStorage = processState.tellalOutage;

export function runWithOutage<T>(outage: Outage, work: () => T): T {
  return outageStorage.run(outage, work);
}

/** Records that the database is unavailable or full: Next would respond 500. */
export function recordOutage(failure: AppError): void {
  const outage = outageStorage.getStore();
  if (outage && failure.status === 503) outage.failure = failure;
}
