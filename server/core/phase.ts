/** Where a server is in its life; a proxy sends requests to one that serves. */
export type Phase = "starting" | "serving" | "draining";

/** On globalThis: the server's bundle and that of the pages each have a copy of this module. */
const shared = globalThis as { tellalPhase?: Phase };

/** The phase of this process. Hosts without our own server, such as serverless ones, serve from the first request on. */
export function phase(): Phase {
  return shared.tellalPhase ?? "serving";
}

export function enterPhase(next: Phase): void {
  shared.tellalPhase = next;
}
