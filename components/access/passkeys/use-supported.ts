import { useHydrating } from "@/components/ui/use-hydrating";

/** Whether this browser supports passkeys; false on the server and in the first render. */
export function usePasskeysSupported(): boolean {
  return !useHydrating() && typeof window.PublicKeyCredential === "function";
}
