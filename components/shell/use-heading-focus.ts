"use client";

import { usePathname } from "next/navigation";
import { useEffect } from "react";
import { whenVisible } from "./when-visible";

let previousPath: string | undefined;

/** Focuses the heading of a new page once it is visible. */
export function useHeadingFocus(): void {
  const path = usePathname();
  useEffect(() => {
    const hasNavigated = previousPath !== undefined && previousPath !== path;
    previousPath = path;
    const previousFocus = document.activeElement;
    if (!hasNavigated || previousFocus?.matches("main :is(input, textarea, select)")) return;
    return whenVisible("h1", (heading) => {
      // Keep the focus if the user has moved it, for example into a menu.
      if (document.activeElement !== previousFocus && document.activeElement !== document.body) return;
      heading.tabIndex = -1;
      heading.focus({ preventScroll: true });
    });
  }, [path]);
}
