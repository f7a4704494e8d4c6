import { useSyncExternalStore } from "react";

const never = () => () => {};

/** True on the server and while a browser takes over its HTML; false in what a browser renders by itself. */
export function useHydrating(): boolean {
  return useSyncExternalStore(
    never,
    () => false,
    () => true,
  );
}
