"use client";

const POLITE = "live-polite";
const ASSERTIVE = "live-assertive";

/** Announces a text to screen readers. Use `urgent` only for a lost session or a failed payment. */
export function announce(text: string, { urgent = false } = {}): void {
  const region = document.getElementById(urgent ? ASSERTIVE : POLITE);
  if (!region) return;
  // Clear first, so that a repeated text is announced again.
  region.textContent = "";
  window.setTimeout(() => {
    region.textContent = text;
  }, 50);
}

export function LiveRegions() {
  return (
    <>
      <div id={POLITE} role="status" aria-live="polite" className="sr-only" />
      <div id={ASSERTIVE} role="alert" aria-live="assertive" className="sr-only" />
    </>
  );
}
