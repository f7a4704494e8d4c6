import { browserSupportsWebAuthn } from "@simplewebauthn/browser";
import { useSyncExternalStore } from "react";

const never = () => () => {};

/** Whether this browser supports passkeys; false on the server. */
export function usePasskeysSupported(): boolean {
  return useSyncExternalStore(never, browserSupportsWebAuthn, () => false);
}
