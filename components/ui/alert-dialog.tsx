"use client";

import dynamic from "next/dynamic";
import { Opening } from "./popups/opening";
import type { AlertDialogProps } from "./popups/props";
import { useOpener } from "./use-opener";

const loadPopup = () => import("./popups/alert-popup");
const AlertPopup = dynamic(() => loadPopup().then((file) => file.AlertPopup), {
  ssr: false,
  loading: Opening,
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
