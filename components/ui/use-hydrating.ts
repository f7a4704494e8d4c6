import { useSyncExternalStore } from "react";

const subscribeToNothing = () => () => {};

/** Returns true on the server and during hydration, false in client renders. */
export function useHydrating(): boolean {
  return useSyncExternalStore(
    subscribeToNothing,
    () => false,
    () => true,
  );
}
