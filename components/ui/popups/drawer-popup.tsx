"use client";

import { Dialog as Base } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import { useTranslations } from "next-intl";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { AlertDialog } from "../alert-dialog";
import { IconButton } from "../icon-button";
import { UnsavedContext, useAskBeforeUnload, useUnsavedTracker } from "../unsaved";
import { useHasDock } from "../use-media-query";
import { backdropStyle } from "./popup-style";
import type { DrawerProps, OpenerProps, PopupProps } from "./props";
import { usePopupFocus } from "./use-popup-focus";

type Props = Omit<DrawerProps, keyof OpenerProps | "getFinalFocus"> & PopupProps;

export function DrawerPopup(props: Props) {
  const { title, children, footer, open, onOpenChange, initialFocus, finalFocus, docks, onUnsavedChange } =
    props;
  const t = useTranslations();
  const popup = useRef<HTMLDivElement>(null);
  const focusProps = usePopupFocus({
    ...{ open, popup, getFinalTarget: finalFocus },
    getInitialTarget: initialFocus && (() => initialFocus.current),
  });
  const [hasUnsaved, registerUnsaved] = useUnsavedTracker();
  const [isConfirming, setIsConfirming] = useState(false);
  useAskBeforeUnload(hasUnsaved);
  const isDocked = useHasDock() && Boolean(docks);
  const reportUnsaved = useEffectEvent((isUnsaved: boolean) => onUnsavedChange?.(isUnsaved));
  useEffect(() => reportUnsaved(hasUnsaved), [hasUnsaved]);

  return (
    <Base.Root
      open={open}
      modal={!isDocked}
      disablePointerDismissal={isDocked}
      onOpenChange={(next, details) => {
        if (next || !hasUnsaved) return onOpenChange(next);
        details.cancel();
        setIsConfirming(true);
      }}
    >
      <Base.Portal>
        {isDocked ? null : <Base.Backdrop className={backdropStyle} />}
        <Base.Popup
          ref={popup}
          {...focusProps}
          data-docked={isDocked || undefined}
          className="layer-dialog fixed inset-x-0 bottom-0 flex max-h-[85dvh] flex-col rounded-t-dialog border border-border bg-raised pb-[env(safe-area-inset-bottom)] shadow-3 outline-none transition-[transform,opacity] duration-240 ease-out data-ending-style:transform-[translateY(100%)] data-starting-style:transform-[translateY(100%)] motion-reduce:data-ending-style:opacity-0 motion-reduce:data-starting-style:opacity-0 sm:start-auto sm:end-0 sm:top-0 sm:max-h-none sm:w-md sm:rounded-none sm:data-ending-style:ltr:transform-[translateX(100%)] sm:data-ending-style:rtl:transform-[translateX(-100%)] sm:data-starting-style:ltr:transform-[translateX(100%)] sm:data-starting-style:rtl:transform-[translateX(-100%)] data-docked:w-dock data-docked:shadow-none"
        >
          <div className="flex items-center justify-between gap-4 border-border border-b px-5 py-3">
            <Base.Title className="font-semibold text-base">{title}</Base.Title>
            <Base.Close
              render={<IconButton label={t("common.close")} icon={<X />} tooltip={false} size="sm" />}
            />
          </div>
          <div className="min-h-0 flex-1 overflow-y-auto p-5">
            <UnsavedContext value={registerUnsaved}>{children}</UnsavedContext>
          </div>
          {footer ? (
            <div className="flex justify-end gap-2 border-border border-t px-5 py-3">{footer}</div>
          ) : null}
          <AlertDialog
            open={isConfirming}
            onOpenChange={setIsConfirming}
            title={t("ui.form.leave.title")}
            description={t("ui.form.leave.text")}
            confirmLabel={t("ui.form.leave.confirm")}
            cancelLabel={t("ui.form.leave.cancel")}
            onConfirm={() => onOpenChange(false)}
          />
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
