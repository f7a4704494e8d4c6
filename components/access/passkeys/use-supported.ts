import { useSyncExternalStore } from "react";

const never = () => () => {};
const supported = () => typeof window.PublicKeyCredential === "function";

/** Whether this browser supports passkeys; false on the server. */
export function usePasskeysSupported(): boolean {
  return useSyncExternalStore(never, supported, () => false);
}
