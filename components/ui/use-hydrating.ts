import { useSyncExternalStore } from "react";

const never = () => () => {};

/** Returns true on the server and during hydration, false in client renders. */
export function useHydrating(): boolean {
  return useSyncExternalStore(
    never,
    () => false,
    () => true,
  );
}
