import { useEffect } from "react";

/** Removes the secret of a mailed link from the address bar and the history as soon as the page has loaded. */
export function useCleanAddress(secret: boolean): void {
  useEffect(() => {
    if (!secret) return;
    const clean = () => window.history.replaceState(null, "", window.location.pathname);
    clean();
    // Once more when the router is ready: on a refresh it would restore the original address.
    const timer = window.setTimeout(clean, 0);
    return () => window.clearTimeout(timer);
  }, [secret]);
}
