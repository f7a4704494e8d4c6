import { useSyncExternalStore } from "react";

const never = () => () => {};

/** The time zone of this browser. */
export function browserZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** The same for rendering; null on the server and in the first render. */
export function useBrowserZone(): string | null {
  return useSyncExternalStore(never, browserZone, () => null);
}
