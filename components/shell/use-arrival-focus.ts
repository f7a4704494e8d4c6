"use client";

import { usePathname } from "next/navigation";
import { useEffect } from "react";
import { whenShown } from "./when-shown";

/** The page that was looked at last in this document. */
let known: string | undefined;

/** After a link, puts the focus on the heading of the page it led to, once that is there. */
export function useArrivalFocus(): void {
  const path = usePathname();
  useEffect(() => {
    const arrived = known !== undefined && known !== path;
    known = path;
    const start = document.activeElement;
    // A page may have placed the focus itself.
    if (!arrived || start?.matches("main :is(input, textarea, select)")) return;
    return whenShown("h1", (heading) => {
      // Whoever went on meanwhile, into a menu for example, stays there.
      if (document.activeElement !== start && document.activeElement !== document.body) return;
      heading.tabIndex = -1;
      heading.focus({ preventScroll: true });
    });
  }, [path]);
}
