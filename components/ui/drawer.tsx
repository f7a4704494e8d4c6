"use client";

import { lazyPart, POPUP } from "./lazy-part";
import { PopupPlaceholder } from "./popups/popup-placeholder";
import type { DrawerProps } from "./popups/props";
import { useOpener } from "./use-opener";

const DrawerPopup = lazyPart(() => import("./popups/drawer-popup").then((file) => file.DrawerPopup), {
  ...POPUP,
  // `RowPreview` handles the keys of a drawer that docks, also while it opens.
  loading: ({ docks }) => (docks ? null : <PopupPlaceholder />),
  loadsEarly: true,
});

export function Drawer({
  trigger,
  open: controlledOpen,
  onOpenChange,
  getFinalFocus,
  preload,
  ...props
}: DrawerProps) {
  const { open, hasOpened, changeOpen, finalFocus, button } = useOpener(
    { trigger, open: controlledOpen, onOpenChange, preload },
    DrawerPopup.preload,
  );
  return (
    <>
      {button}
      {hasOpened ? (
        <DrawerPopup
          {...props}
          open={open}
          onOpenChange={changeOpen}
          finalFocus={() => {
            const target = getFinalFocus?.() ?? true;
            return target === true ? finalFocus() : target;
          }}
        />
      ) : null}
    </>
  );
}
