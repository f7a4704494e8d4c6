import { useState } from "react";
import { useHydrating } from "./use-hydrating";

/**
 * Returns "" from hydration until `key` changes, so that React keeps the server's text: a browser's first Intl
 * call blocks for 20 to 40 ms. The element needs `suppressHydrationWarning` and no other child.
 */
export function useServerText(key: string, formatText: () => string): string {
  const isHydrating = useHydrating();
  const [serverKey, setServerKey] = useState(isHydrating ? key : null);
  if (typeof document === "undefined" || serverKey === null) return formatText();
  if (serverKey === key) return "";
  setServerKey(null);
  return formatText();
}
