"use client";

import dynamic from "next/dynamic";
import { PopupPlaceholder } from "./popups/popup-placeholder";
import type { DrawerProps } from "./popups/props";
import { useOpener } from "./use-opener";

const loadPopup = () => import("./popups/drawer-popup");
const DrawerPopup = dynamic(() => loadPopup().then((file) => file.DrawerPopup), {
  ssr: false,
  loading: PopupPlaceholder,
});

export function Drawer({
  trigger,
  open: controlledOpen,
  onOpenChange,
  getFinalFocus,
  ...props
}: DrawerProps) {
  const { open, hasOpened, changeOpen, finalFocus, button } = useOpener(
    { trigger, open: controlledOpen, onOpenChange },
    loadPopup,
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
