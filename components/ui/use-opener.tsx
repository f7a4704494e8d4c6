"use client";

import { cloneElement, type MouseEvent, type ReactElement, useRef, useState } from "react";
import { getPreloadProps } from "./lazy-part";
import type { OpenerProps } from "./popups/props";

type Trigger = ReactElement<{ onClick?: (event: MouseEvent<HTMLElement>) => void }>;

/** State of a popup. `hasOpened` stays true after the first opening, so that the closing animation can run. */
export function useOpener(
  { trigger, open: controlledOpen, onOpenChange, preload }: OpenerProps,
  preloadPopup: () => void,
) {
  const [uncontrolledOpen, setUncontrolledOpen] = useState(false);
  const opener = useRef<HTMLElement>(null);
  const open = controlledOpen ?? uncontrolledOpen;
  const [hasOpened, setHasOpened] = useState(open);
  if (open && !hasOpened) setHasOpened(true);

  function preloadAll() {
    preloadPopup();
    preload?.();
  }

  function changeOpen(next: boolean) {
    setUncontrolledOpen(next);
    onOpenChange?.(next);
  }

  const button = trigger as Trigger | undefined;
  return {
    open,
    hasOpened,
    changeOpen,
    /** Returns the trigger; true means that the popup restores the previous focus. */
    finalFocus: () => opener.current ?? true,
    button: button
      ? cloneElement(button, {
          ...{ "aria-haspopup": "dialog", "aria-expanded": open, "data-popup-open": open ? "" : undefined },
          ...getPreloadProps({ preload: preloadAll }),
          onClick: (event) => {
            button.props.onClick?.(event);
            if (event.defaultPrevented) return;
            opener.current = event.currentTarget;
            changeOpen(true);
          },
        })
      : null,
  };
}
