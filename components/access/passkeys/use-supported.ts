import { browserSupportsWebAuthn } from "@simplewebauthn/browser";
import { useSyncExternalStore } from "react";

const never = () => () => {};

/** Whether this browser has passkeys at all; false while the page is drawn on the server. */
export function usePasskeysSupported(): boolean {
  return useSyncExternalStore(never, browserSupportsWebAuthn, () => false);
}
