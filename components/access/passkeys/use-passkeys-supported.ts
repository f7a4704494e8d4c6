import { useHydrating } from "@/components/ui/use-hydrating";

/** True during the first render: nearly every browser supports passkeys, and the layout must not shift. */
export function usePasskeysSupported(): boolean {
  return useHydrating() || typeof window.PublicKeyCredential === "function";
}
