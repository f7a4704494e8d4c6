"use client";

const POLITE = "live-polite";
const ASSERTIVE = "live-assertive";

/** Says something to screen readers. `urgent` only for a lost session or a failed money action. */
export function announce(text: string, { urgent = false } = {}): void {
  const region = document.getElementById(urgent ? ASSERTIVE : POLITE);
  if (!region) return;
  // Emptied first, so that the same words are read again.
  region.textContent = "";
  window.setTimeout(() => {
    region.textContent = text;
  }, 50);
}

/** The two regions `announce` speaks through; once, in the root layout. */
export function LiveRegions() {
  return (
    <>
      <div id={POLITE} role="status" aria-live="polite" className="sr-only" />
      <div id={ASSERTIVE} role="alert" aria-live="assertive" className="sr-only" />
    </>
  );
}
