"use client";

import {
  cloneElement,
  type FocusEvent,
  type PointerEvent,
  type ReactElement,
  useEffect,
  useRef,
  useState,
} from "react";

/** Time to get from an element into its hint, before the hint goes. */
const GRACE = 150;

type Handlers = {
  onPointerEnter?: (event: PointerEvent<HTMLElement>) => void;
  onPointerLeave?: (event: PointerEvent<HTMLElement>) => void;
  onFocus?: (event: FocusEvent<HTMLElement>) => void;
};

export interface Hint {
  open: boolean;
  anchor: HTMLElement | null;
  setOpen: (open: boolean) => void;
  /** For the popup: it stays while the pointer is inside. */
  hold: Pick<Handlers, "onPointerEnter" | "onPointerLeave">;
}

/**
 * Something small that opens beside an element when the pointer rests on it. What it shows is loaded then, which
 * `prefetch` starts. `anchor` is null until it is first wanted.
 */
export function useHint(delay: number, prefetch: () => unknown) {
  const [open, setOpen] = useState(false);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const timer = useRef<number>(undefined);
  useEffect(() => () => window.clearTimeout(timer.current), []);

  function plan(next: boolean, wait: number) {
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => setOpen(next), wait);
  }

  function now(next: boolean, element?: HTMLElement) {
    window.clearTimeout(timer.current);
    if (element) setAnchor(element);
    setOpen(next);
  }

  const hint: Hint = {
    open,
    anchor,
    // Whoever closes a popup tells more than that, and none of it is an element.
    setOpen: (next) => now(next),
    hold: {
      onPointerEnter: () => window.clearTimeout(timer.current),
      onPointerLeave: () => plan(false, GRACE),
    },
  };
  return {
    hint,
    now,
    /** The element with what opens and closes the hint, besides what it does by itself. */
    hinted: (element: ReactElement<Handlers>, more: object = {}) =>
      cloneElement(element, {
        ...more,
        onPointerEnter: (event) => {
          element.props.onPointerEnter?.(event);
          if (event.pointerType === "touch") return;
          prefetch();
          setAnchor(event.currentTarget);
          plan(true, delay);
        },
        onPointerLeave: (event) => {
          element.props.onPointerLeave?.(event);
          plan(false, GRACE);
        },
      }),
  };
}
