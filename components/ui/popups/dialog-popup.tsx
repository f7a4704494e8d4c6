"use client";

import { Dialog as Base } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import { useTranslations } from "next-intl";
import { useRef } from "react";
import { IconButton } from "../icon-button";
import { UnsavedContext } from "../unsaved";
import { backdropStyle, popupStyle } from "./popup-style";
import type { DialogProps, OpenerProps, PopupProps } from "./props";
import { usePopupFocus } from "./use-popup-focus";

export function DialogPopup(props: Omit<DialogProps, keyof OpenerProps> & PopupProps) {
  const t = useTranslations("common");
  const { title, description, children, footer, size, dismissible = true, open, initialFocus } = props;
  const popup = useRef<HTMLDivElement>(null);
  const focusProps = usePopupFocus({
    ...{ open, popup, getFinalTarget: props.finalFocus },
    getInitialTarget: initialFocus && (() => initialFocus.current),
  });
  return (
    <Base.Root
      open={open}
      disablePointerDismissal={!dismissible}
      onOpenChange={(open, details) => {
        if (!open && !dismissible && details.reason === "escape-key") details.cancel();
        else props.onOpenChange(open);
      }}
    >
      <Base.Portal>
        <Base.Backdrop className={backdropStyle} />
        <Base.Popup ref={popup} className={popupStyle({ size })} {...focusProps}>
          <div className="flex items-start gap-4 px-6 pt-5 pb-4">
            <div className="min-w-0 flex-1">
              <Base.Title className="font-semibold text-lg">{title}</Base.Title>
              {description ? (
                <Base.Description className="mt-1 text-fg-muted text-sm">{description}</Base.Description>
              ) : null}
            </div>
            {dismissible ? (
              <span className="-me-2 -mt-1 order-last">
                <Base.Close
                  render={<IconButton label={t("close")} icon={<X />} tooltip={false} size="sm" />}
                />
              </span>
            ) : null}
          </div>
          {children ? (
            <div className="min-h-0 flex-1 overflow-y-auto px-6 pb-6">
              <UnsavedContext value={null}>{children}</UnsavedContext>
            </div>
          ) : null}
          {footer ? (
            <div className="flex flex-col-reverse gap-2 border-border border-t px-6 py-4 sm:flex-row sm:justify-end">
              {footer}
            </div>
          ) : null}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
