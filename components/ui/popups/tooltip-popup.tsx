"use client";

import { Tooltip as Base } from "@base-ui/react/tooltip";
import type { Hint } from "../use-hint";
import type { TooltipProps } from "./props";

export function TooltipPopup({
  open,
  setOpen,
  anchor,
  popupHandlers,
  text,
  side,
}: Hint & Pick<TooltipProps, "text" | "side">) {
  return (
    <Base.Root open={open} onOpenChange={setOpen}>
      <Base.Portal>
        <Base.Positioner anchor={anchor} side={side} sideOffset={6} className="layer-menu" {...popupHandlers}>
          <Base.Popup className="popup-motion max-w-64 rounded-control border border-transparent bg-fg px-2 py-1 text-bg text-caption shadow-2">
            {text}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
