import { useHydrating } from "@/components/ui/use-hydrating";

/** True during the first render, which avoids a layout shift: nearly every browser supports passkeys. */
export function usePasskeysSupported(): boolean {
  return useHydrating() || typeof window.PublicKeyCredential === "function";
}
