import { useEffect } from "react";

/** Removes the token of a mailed link from URL and history. Callers keep the first value of their props. */
export function useCleanUrl(hasSecret: boolean): void {
  useEffect(() => {
    if (!hasSecret) return;
    const removeQuery = () => window.history.replaceState(null, "", window.location.pathname);
    removeQuery();
    // Repeat when the router is ready: after a refresh it restores the original URL.
    const timer = window.setTimeout(removeQuery, 0);
    return () => window.clearTimeout(timer);
  }, [hasSecret]);
}
