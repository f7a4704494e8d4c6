"use client";

import dynamic from "next/dynamic";
import { useOpener } from "./opener";
import { Opening } from "./popups/opening";
import type { DrawerProps } from "./popups/props";

const load = () => import("./popups/drawer-popup");
const DrawerPopup = dynamic(() => load().then((file) => file.DrawerPopup), { ssr: false, loading: Opening });

/** Sheet from the bottom on phones, from the inline end on wider screens. */
export function Drawer({ trigger, open: controlledOpen, onOpenChange, returnsFocus, ...props }: DrawerProps) {
  const { open, hasOpened, change, finalFocus, button } = useOpener(
    { trigger, open: controlledOpen, onOpenChange },
    load,
  );
  return (
    <>
      {button}
      {hasOpened ? (
        <DrawerPopup
          {...props}
          open={open}
          onOpenChange={change}
          finalFocus={() => {
            const target = returnsFocus?.() ?? true;
            return target === true ? finalFocus() : target;
          }}
        />
      ) : null}
    </>
  );
}
