"use client";

import { cloneElement, type MouseEvent, type ReactElement, useRef, useState } from "react";
import type { OpenerProps } from "./popups/props";

type Trigger = ReactElement<{ onClick?: (event: MouseEvent<HTMLElement>) => void }>;

/**
 * State of a popup opened by a trigger or controlled with `open`. `wanted` becomes true at the first opening,
 * when the popup's code loads, and stays true so that the closing animation can run.
 */
export function useOpener(
  { trigger, open: controlledOpen, onOpenChange }: OpenerProps,
  prefetch: () => unknown,
) {
  const [uncontrolledOpen, setUncontrolledOpen] = useState(false);
  const opener = useRef<HTMLElement>(null);
  const open = controlledOpen ?? uncontrolledOpen;
  const [wanted, setWanted] = useState(open);
  if (open && !wanted) setWanted(true);

  function change(next: boolean) {
    setUncontrolledOpen(next);
    onOpenChange?.(next);
  }

  const button = trigger as Trigger | undefined;
  return {
    open,
    wanted,
    change,
    /** Returns the trigger; true lets the popup restore the previous focus. */
    finalFocus: () => opener.current ?? true,
    button: button
      ? cloneElement(button, {
          ...{ "aria-haspopup": "dialog", "aria-expanded": open, "data-popup-open": open ? "" : undefined },
          ...{ onPointerEnter: prefetch, onFocus: prefetch },
          onClick: (event) => {
            button.props.onClick?.(event);
            if (event.defaultPrevented) return;
            opener.current = event.currentTarget;
            change(true);
          },
        })
      : null,
  };
}
