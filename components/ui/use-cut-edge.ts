"use client";

import { type RefCallback, useCallback, useState } from "react";

/** Whether a sideways scroller hides something at its end, in the direction of reading. */
export function useCutEdge<E extends HTMLElement>(): { ref: RefCallback<E>; cut: boolean } {
  const [cut, setCut] = useState(false);
  const ref = useCallback((box: E | null) => {
    if (!box) return;
    // Scrolling from right to left counts down from zero.
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
  return { ref, cut };
}
