"use client";

import { usePathname } from "next/navigation";
import { useEffect } from "react";
import { whenVisible } from "./when-visible";

interface Place {
  href: string;
  label: string;
}

const MAX_PLACES = 8;
/** In memory only, for privacy: visited pages are stored nowhere. */
let places: readonly Place[] = [];

/** Returns the last opened pages without the current one, latest first. */
export function recentPages(): readonly Place[] {
  return places.filter(({ href }) => href !== window.location.pathname).slice(0, MAX_PLACES);
}

export function useRecentPages(): void {
  const path = usePathname();
  useEffect(
    () =>
      whenVisible("h1", ({ textContent }) => {
        const label = textContent.trim();
        if (label)
          places = [{ href: path, label }, ...places.filter(({ href }) => href !== path)].slice(
            0,
            MAX_PLACES + 1,
          );
      }),
    [path],
  );
}
