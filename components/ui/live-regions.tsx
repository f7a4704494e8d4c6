"use client";

const POLITE_REGION_ID = "live-polite";
const ASSERTIVE_REGION_ID = "live-assertive";

/** Announces a text to screen readers. Use `urgent` only for a lost session or a failed payment. */
export function announce(text: string, { urgent = false } = {}): void {
  const region = document.getElementById(urgent ? ASSERTIVE_REGION_ID : POLITE_REGION_ID);
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
      <div id={POLITE_REGION_ID} role="status" aria-live="polite" className="sr-only" />
      <div id={ASSERTIVE_REGION_ID} role="alert" aria-live="assertive" className="sr-only" />
    </>
  );
}
