import { useState } from "react";
import { useHydrating } from "./use-hydrating";

/**
 * A text that takes a browser long to write: its first date or number costs 20 to 40 ms of Intl, at once. What the server
 * wrote stays until `about` changes, which names all that the text depends on. Its element needs
 * `suppressHydrationWarning` and no other child: React leaves the server's text there until it is given another.
 */
export function useServerText(about: string, write: () => string): string {
  const hydrating = useHydrating();
  const [kept, keep] = useState(hydrating ? about : null);
  if (typeof document === "undefined" || kept === null) return write();
  if (kept === about) return "";
  keep(null);
  return write();
}
