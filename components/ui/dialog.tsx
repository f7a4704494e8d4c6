"use client";

import { cloneElement, createContext, type MouseEvent, type ReactElement, use } from "react";
import { lazyPart, POPUP } from "./lazy-part";
import type { DialogProps } from "./popups/props";
import { useOpener } from "./use-opener";

const DialogPopup = lazyPart(() => import("./popups/dialog-popup").then((file) => file.DialogPopup), {
  ...POPUP,
  loadsEarly: true,
});

const CloseContext = createContext(() => {});

/** Modal dialog; a bottom sheet on phones. Closing returns the focus to the opener. */
export function Dialog({ trigger, open: controlledOpen, onOpenChange, ...props }: DialogProps) {
  const { open, hasOpened, changeOpen, finalFocus, button } = useOpener(
    { trigger, open: controlledOpen, onOpenChange },
    DialogPopup.preload,
  );
  return (
    <CloseContext value={() => changeOpen(false)}>
      {button}
      {hasOpened ? (
        <DialogPopup {...props} open={open} onOpenChange={changeOpen} finalFocus={finalFocus} />
      ) : null}
    </CloseContext>
  );
}

type ClosableElement = ReactElement<{ onClick?: (event: MouseEvent) => void }>;

export function DialogClose({ children }: { children: ReactElement }) {
  const close = use(CloseContext);
  const button = children as ClosableElement;
  return cloneElement(button, {
    onClick: (event) => {
      button.props.onClick?.(event);
      close();
    },
  });
}
