import { useEffect } from "react";

/** Removes the token of a mailed link from the URL and the history. */
export function useCleanUrl(secret: boolean): void {
  useEffect(() => {
    if (!secret) return;
    const clean = () => window.history.replaceState(null, "", window.location.pathname);
    clean();
    // Again once the router is ready: on a refresh it restores the original URL.
    const timer = window.setTimeout(clean, 0);
    return () => window.clearTimeout(timer);
  }, [secret]);
}
