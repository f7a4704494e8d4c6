"use client";

import { usePathname } from "next/navigation";
import { useEffect } from "react";

/** The page that was looked at last in this document. */
let known: string | undefined;

/** After a link, puts the focus on the heading of the page it led to, once that is there. */
export function useArrivalFocus(): void {
  const path = usePathname();
  useEffect(() => {
    const arrived = known !== undefined && known !== path;
    known = path;
    const main = document.querySelector("main");
    const start = document.activeElement;
    // A page may have placed the focus itself.
    if (!arrived || !main || start?.matches("main :is(input, textarea, select)")) return;
    const observer = new MutationObserver(look);
    function look() {
      const heading = main!.querySelector<HTMLElement>("h1");
      // A page that is still being completed has its heading already, hidden.
      if (!heading?.checkVisibility()) return;
      observer.disconnect();
      // Whoever went on meanwhile, into a menu for example, stays there.
      if (document.activeElement !== start && document.activeElement !== document.body) return;
      heading.tabIndex = -1;
      heading.focus({ preventScroll: true });
    }
    observer.observe(main, { childList: true, subtree: true, attributes: true });
    look();
    return () => observer.disconnect();
  }, [path]);
}
