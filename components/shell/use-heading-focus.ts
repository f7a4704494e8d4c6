"use client";

import { usePathname } from "next/navigation";
import { useEffect } from "react";
import { whenVisible } from "./when-visible";

let previousPath: string | undefined;

/** Focuses the heading of a new page once it is visible, and scrolls to the part that the URL names. */
export function useHeadingFocus(): void {
  const path = usePathname();
  useEffect(() => {
    const hasNavigated = previousPath !== undefined && previousPath !== path;
    previousPath = path;
    if (!hasNavigated) return;
    const stopScroll = scrollToAnchor();
    const previousFocus = document.activeElement;
    if (previousFocus?.matches("main :is(input, textarea, select)")) return stopScroll;
    const stopFocus = whenVisible("h1", (heading) => {
      // Keep the focus if the user has moved it, for example into a menu.
      if (document.activeElement !== previousFocus && document.activeElement !== document.body) return;
      heading.tabIndex = -1;
      heading.focus({ preventScroll: true });
    });
    return () => {
      stopScroll();
      stopFocus();
    };
  }, [path]);
}

/** The router looks for the anchor before a page that is still loading has it. */
function scrollToAnchor(): () => void {
  const anchor = window.location.hash.slice(1);
  if (!anchor) return () => {};
  return whenVisible(`[id="${CSS.escape(anchor)}"]`, (part) => {
    // Back restores the position itself.
    if (window.scrollY === 0) part.scrollIntoView();
  });
}
