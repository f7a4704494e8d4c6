"use client";

import { usePathname } from "next/navigation";
import { useEffect } from "react";
import { whenVisible } from "./when-visible";

/** A part that has not appeared by then would scroll under the user's hands. */
const ANCHOR_TIMEOUT_MS = 5000;

let previousPath: string | undefined;

/** Focuses the heading of a new page once it is visible, or the part that the URL names. */
export function useHeadingFocus(): void {
  const path = usePathname();
  useEffect(() => {
    const hasNavigated = previousPath !== undefined && previousPath !== path;
    previousPath = path;
    if (!hasNavigated) return;
    const previousFocus = document.activeElement;
    const isTyping = previousFocus?.matches("main :is(input, textarea, select)");
    // Keep the focus if the user has moved it, for example into a menu.
    const focus = (element: HTMLElement) => {
      if (isTyping || (document.activeElement !== previousFocus && document.activeElement !== document.body))
        return;
      element.tabIndex = -1;
      element.focus({ preventScroll: true });
    };
    const anchor = window.location.hash.slice(1);
    if (!anchor) return isTyping ? undefined : whenVisible("h1", focus);
    // The router looks for the part before a page that is still loading has it.
    const stop = whenVisible(`[id="${CSS.escape(anchor)}"]`, (part) => {
      // Back restores the position itself.
      if (window.scrollY === 0) part.scrollIntoView();
      focus(part.querySelector<HTMLElement>("h2, h3") ?? part);
    });
    const timer = window.setTimeout(stop, ANCHOR_TIMEOUT_MS);
    return () => {
      window.clearTimeout(timer);
      stop();
    };
  }, [path]);
}
