import { useEffect } from "react";

/** Takes the secret of a mailed link out of the address bar and the history, as soon as the page is here. */
export function useCleanAddress(secret: boolean): void {
  useEffect(() => {
    if (!secret) return;
    const clean = () => window.history.replaceState(null, "", window.location.pathname);
    clean();
    // Once more when the router listens too: it would put the address it was loaded with back on a refresh.
    const timer = window.setTimeout(clean, 0);
    return () => window.clearTimeout(timer);
  }, [secret]);
}
