"use client";

import { type RefCallback, useCallback, useState } from "react";

export function useOverflow<E extends HTMLElement>(): { ref: RefCallback<E>; isOverflowing: boolean } {
  const [isOverflowing, setIsOverflowing] = useState(false);
  const ref = useCallback((scroller: E | null) => {
    if (!scroller) return;
    // In right-to-left layouts `scrollLeft` is negative.
    const measure = () =>
      setIsOverflowing(Math.abs(scroller.scrollLeft) + scroller.clientWidth < scroller.scrollWidth - 1);
    const resizeObserver = new ResizeObserver(measure);
    resizeObserver.observe(scroller);
    if (scroller.firstElementChild) resizeObserver.observe(scroller.firstElementChild);
    scroller.addEventListener("scroll", measure, { passive: true });
    return () => {
      resizeObserver.disconnect();
      scroller.removeEventListener("scroll", measure);
    };
  }, []);
  return { ref, isOverflowing };
}
