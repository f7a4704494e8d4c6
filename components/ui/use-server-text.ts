import { useState } from "react";
import { useHydrating } from "./use-hydrating";

/**
 * Keeps the server's text until `key` (made of all inputs) changes, because the first Intl call of a
 * browser blocks for 20 to 40 ms. The element needs `suppressHydrationWarning` and no other child: React then
 * keeps the server's text.
 */
export function useServerText(key: string, write: () => string): string {
  const hydrating = useHydrating();
  const [serverKey, setServerKey] = useState(hydrating ? key : null);
  if (typeof document === "undefined" || serverKey === null) return write();
  if (serverKey === key) return "";
  setServerKey(null);
  return write();
}
