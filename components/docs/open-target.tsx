"use client";

import { useEffect } from "react";

/** Expands the operation that a link points at, for browsers that do not do it themselves. */
export function OpenTarget() {
  useEffect(() => {
    function show() {
      const target = document.getElementById(decodeURIComponent(window.location.hash.slice(1)));
      const fold = target?.closest("details");
      if (!target || !fold || fold.open) return;
      fold.open = true;
      target.scrollIntoView();
    }
    show();
    window.addEventListener("hashchange", show);
    return () => window.removeEventListener("hashchange", show);
  }, []);
  return null;
}
