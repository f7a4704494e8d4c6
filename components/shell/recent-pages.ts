"use client";

import { usePathname } from "next/navigation";
import { useEffect } from "react";
import { whenVisible } from "./when-visible";

interface RecentPage {
  href: string;
  label: string;
}

const MAX_RECENT_PAGES = 8;
/** In memory only, for privacy. */
let recentPages: readonly RecentPage[] = [];

/** Lists the last opened pages without the current one, latest first. */
export function listRecentPages(): readonly RecentPage[] {
  return recentPages.filter(({ href }) => href !== window.location.pathname).slice(0, MAX_RECENT_PAGES);
}

export function useTrackRecentPages(): void {
  const path = usePathname();
  useEffect(
    () =>
      whenVisible("h1", ({ textContent }) => {
        const label = textContent.trim();
        if (label)
          recentPages = [{ href: path, label }, ...recentPages.filter(({ href }) => href !== path)].slice(
            0,
            MAX_RECENT_PAGES + 1,
          );
      }),
    [path],
  );
}
