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

/** Time to move the pointer from the element into its hint. */
const GRACE_PERIOD_MS = 150;

type Handlers = {
  onPointerEnter?: (event: PointerEvent<HTMLElement>) => void;
  onPointerLeave?: (event: PointerEvent<HTMLElement>) => void;
  onFocus?: (event: FocusEvent<HTMLElement>) => void;
};

export interface Hint {
  open: boolean;
  anchor: HTMLElement | null;
  setOpen: (open: boolean) => void;
  /** Handlers for the popup, which keep it open under the pointer. */
  popupHandlers: Pick<Handlers, "onPointerEnter" | "onPointerLeave">;
}

/** State of a hint that opens when the pointer rests on an element for `openDelayMs`. */
export function useHint(openDelayMs: number, prefetch: () => unknown) {
  const [open, setOpen] = useState(false);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const timer = useRef<number>(undefined);
  useEffect(() => () => window.clearTimeout(timer.current), []);

  function schedule(next: boolean, delayMs: number) {
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => setOpen(next), delayMs);
  }

  function setOpenNow(next: boolean, element?: HTMLElement) {
    window.clearTimeout(timer.current);
    if (element) setAnchor(element);
    setOpen(next);
  }

  const hint: Hint = {
    open,
    anchor,
    // Base UI passes further arguments, which must not reach `setOpenNow`.
    setOpen: (next) => setOpenNow(next),
    popupHandlers: {
      onPointerEnter: () => window.clearTimeout(timer.current),
      onPointerLeave: () => schedule(false, GRACE_PERIOD_MS),
    },
  };
  return {
    hint,
    setOpenNow,
    renderWithHint: (element: ReactElement<Handlers>, extraProps: object = {}) =>
      cloneElement(element, {
        ...extraProps,
        onPointerEnter: (event) => {
          element.props.onPointerEnter?.(event);
          if (event.pointerType === "touch") return;
          prefetch();
          setAnchor(event.currentTarget);
          schedule(true, openDelayMs);
        },
        onPointerLeave: (event) => {
          element.props.onPointerLeave?.(event);
          schedule(false, GRACE_PERIOD_MS);
        },
      }),
  };
}
