"use client";

import dynamic from "next/dynamic";
import { PopupPlaceholder } from "./popups/popup-placeholder";
import type { AlertDialogProps } from "./popups/props";
import { useOpener } from "./use-opener";

const loadPopup = () => import("./popups/alert-popup");
const AlertPopup = dynamic(() => loadPopup().then((file) => file.AlertPopup), {
  ssr: false,
  loading: PopupPlaceholder,
});

/** Confirmation of a serious action. Cancel has the focus; only buttons close it. */
export function AlertDialog({ trigger, open: controlledOpen, onOpenChange, ...rest }: AlertDialogProps) {
  const { open, hasOpened, changeOpen, finalFocus, button } = useOpener(
    { trigger, open: controlledOpen, onOpenChange },
    loadPopup,
  );
  const props = { finalFocus, ...rest };
  return (
    <>
      {button}
      {hasOpened ? <AlertPopup {...props} open={open} onOpenChange={changeOpen} /> : null}
    </>
  );
}
