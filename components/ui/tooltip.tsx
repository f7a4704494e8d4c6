"use client";

import { Tooltip as Base } from "@base-ui/react/tooltip";
import type { ReactElement, ReactNode } from "react";

export interface TooltipProps {
  text: ReactNode;
  /** The element it describes; it must be focusable and have its own name. */
  children: ReactElement;
  side?: "top" | "bottom" | "inline-start" | "inline-end";
  disabled?: boolean;
}

/** A short hint on hover and focus. Never the only place for something a person needs to know. */
export function Tooltip({ text, children, side = "top", disabled }: TooltipProps) {
  return (
    <Base.Root disabled={disabled}>
      <Base.Trigger render={children} />
      <Base.Portal>
        <Base.Positioner side={side} sideOffset={6} className="layer-menu">
          <Base.Popup className="popup-motion max-w-64 rounded-control border border-transparent bg-fg px-2 py-1 text-bg text-caption shadow-2">
            {text}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
