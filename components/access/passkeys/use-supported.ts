import { useHydrating } from "@/components/ui/use-hydrating";

/**
 * Whether this browser supports passkeys. Assumed by the server and in the first render: nearly every browser does,
 * and what is there for passkeys would otherwise push down what follows it.
 */
export function usePasskeysSupported(): boolean {
  return useHydrating() || typeof window.PublicKeyCredential === "function";
}
