"use client";

import { lazyPart, POPUP } from "./lazy-part";
import type { AlertDialogProps } from "./popups/props";
import { useOpener } from "./use-opener";

const AlertPopup = lazyPart(() => import("./popups/alert-popup").then((file) => file.AlertPopup), {
  ...POPUP,
  loadsEarly: true,
});

/** Confirmation of a serious action. Cancel has the focus; only buttons close it. */
export function AlertDialog({ trigger, open: controlledOpen, onOpenChange, ...rest }: AlertDialogProps) {
  const { open, hasOpened, changeOpen, finalFocus, button } = useOpener(
    { trigger, open: controlledOpen, onOpenChange },
    AlertPopup.preload,
  );
  const props = { finalFocus, ...rest };
  return (
    <>
      {button}
      {hasOpened ? <AlertPopup {...props} open={open} onOpenChange={changeOpen} /> : null}
    </>
  );
}
