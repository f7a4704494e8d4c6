"use client";

import { type RefCallback, useCallback, useState } from "react";

/** Returns whether a horizontal scroller hides content at its inline end. */
export function useOverflow<E extends HTMLElement>(): { ref: RefCallback<E>; isOverflowing: boolean } {
  const [cut, setCut] = useState(false);
  const ref = useCallback((box: E | null) => {
    if (!box) return;
    // In right-to-left layouts `scrollLeft` is negative.
    const measure = () => setCut(Math.abs(box.scrollLeft) + box.clientWidth < box.scrollWidth - 1);
    const sizes = new ResizeObserver(measure);
    sizes.observe(box);
    if (box.firstElementChild) sizes.observe(box.firstElementChild);
    box.addEventListener("scroll", measure, { passive: true });
    return () => {
      sizes.disconnect();
      box.removeEventListener("scroll", measure);
    };
  }, []);
  return { ref, isOverflowing: cut };
}
