/** Life-cycle phase of a server; only `serving` is reported as ready to proxies. */
export type Phase = "starting" | "serving" | "draining";

/** On globalThis: the bundles of the server and of the pages each contain a copy of this module. */
const shared = globalThis as { tellalPhase?: Phase };

/** Returns the phase; `serving` on hosts that do not run our server, such as serverless ones. */
export function getPhase(): Phase {
  return shared.tellalPhase ?? "serving";
}

export function enterPhase(next: Phase): void {
  shared.tellalPhase = next;
}
