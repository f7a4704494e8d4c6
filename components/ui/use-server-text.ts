import { useState } from "react";
import { useHydrating } from "./use-hydrating";

/**
 * Keeps the server's text until `about` (a key of all inputs) changes, because the first Intl call of a
 * browser blocks for 20 to 40 ms. The element needs `suppressHydrationWarning` and no other child: React then
 * keeps the server's text.
 */
export function useServerText(about: string, write: () => string): string {
  const hydrating = useHydrating();
  const [kept, keep] = useState(hydrating ? about : null);
  if (typeof document === "undefined" || kept === null) return write();
  if (kept === about) return "";
  keep(null);
  return write();
}
