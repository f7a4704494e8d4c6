"use client";

import { usePathname } from "next/navigation";
import { useEffect } from "react";
import { whenShown } from "./when-shown";

interface Place {
  href: string;
  /** The heading of the page. */
  label: string;
}

const KEPT = 8;
/** Of this document alone: what somebody looked at is written nowhere. */
let places: readonly Place[] = [];

/** The pages that were opened last, the latest first, without the present one. */
export function recentPlaces(): readonly Place[] {
  return places.filter(({ href }) => href !== window.location.pathname).slice(0, KEPT);
}

/** Notes each page of the panel that is opened. */
export function useRecentPlaces(): void {
  const path = usePathname();
  useEffect(
    () =>
      whenShown("h1", ({ textContent }) => {
        const label = textContent.trim();
        if (label)
          places = [{ href: path, label }, ...places.filter(({ href }) => href !== path)].slice(0, KEPT + 1);
      }),
    [path],
  );
}
