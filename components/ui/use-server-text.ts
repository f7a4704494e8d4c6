import { useState } from "react";
import { useHydrating } from "./use-hydrating";

/**
 * Keeps the server's text while `key` stays equal: a browser's first Intl call blocks for 20 to 40 ms.
 * The element needs `suppressHydrationWarning` and no other child, or React replaces the text.
 */
export function useServerText(key: string, write: () => string): string {
  const hydrating = useHydrating();
  const [serverKey, setServerKey] = useState(hydrating ? key : null);
  if (typeof document === "undefined" || serverKey === null) return write();
  if (serverKey === key) return "";
  setServerKey(null);
  return write();
}
