"use client";

import { cloneElement, type MouseEvent, type ReactElement, useRef, useState } from "react";
import type { OpenerProps } from "./popups/props";

type Trigger = ReactElement<{ onClick?: (event: MouseEvent<HTMLElement>) => void }>;

/**
 * What opens by a button, or by its owner. The popup itself is loaded when it is first wanted, so `wanted` stays true
 * from then on, for the popup to close in its own time.
 */
export function useOpener({ trigger, open: given, onOpenChange }: OpenerProps, prefetch: () => unknown) {
  const [own, setOwn] = useState(false);
  const opener = useRef<HTMLElement>(null);
  const open = given ?? own;
  const [wanted, setWanted] = useState(open);
  if (open && !wanted) setWanted(true);

  function change(next: boolean) {
    setOwn(next);
    onOpenChange?.(next);
  }

  const button = trigger as Trigger | undefined;
  return {
    open,
    wanted,
    change,
    /** Where the focus goes back to: the button, or what had it before. */
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
