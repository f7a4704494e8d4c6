"use client";

import { usePathname } from "next/navigation";
import { useEffect } from "react";
import { whenShown } from "./when-shown";

/** Path of the previous page in this document. */
let known: string | undefined;

/** Focuses the heading of a new page once it is visible. */
export function useArrivalFocus(): void {
  const path = usePathname();
  useEffect(() => {
    const arrived = known !== undefined && known !== path;
    known = path;
    const start = document.activeElement;
    // The page may have placed the focus itself.
    if (!arrived || start?.matches("main :is(input, textarea, select)")) return;
    return whenShown("h1", (heading) => {
      // The user may have moved the focus in the meantime, for example into a menu.
      if (document.activeElement !== start && document.activeElement !== document.body) return;
      heading.tabIndex = -1;
      heading.focus({ preventScroll: true });
    });
  }, [path]);
}
