"use client";

import { usePathname } from "next/navigation";
import { useEffect } from "react";
import { whenVisible } from "./when-visible";

let previousPath: string | undefined;

/** Focuses the heading of a new page once it is visible. */
export function useArrivalFocus(): void {
  const path = usePathname();
  useEffect(() => {
    const hasNavigated = previousPath !== undefined && previousPath !== path;
    previousPath = path;
    const focusedBefore = document.activeElement;
    if (!hasNavigated || focusedBefore?.matches("main :is(input, textarea, select)")) return;
    return whenVisible("h1", (heading) => {
      // The user may have moved the focus in the meantime, for example into a menu.
      if (document.activeElement !== focusedBefore && document.activeElement !== document.body) return;
      heading.tabIndex = -1;
      heading.focus({ preventScroll: true });
    });
  }, [path]);
}
