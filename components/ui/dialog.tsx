"use client";

import { Dialog as Base } from "@base-ui/react/dialog";
import { cva } from "class-variance-authority";
import { X } from "lucide-react";
import { useTranslations } from "next-intl";
import { type ReactElement, type ReactNode, type RefObject, useRef } from "react";
import { IconButton } from "./icon-button";
import { UnsavedContext } from "./unsaved";

export const backdropStyle =
  "fixed inset-0 layer-dialog bg-scrim transition-opacity duration-180 ease-out data-ending-style:opacity-0 data-starting-style:opacity-0";

export const popupStyle = cva(
  [
    "fixed layer-dialog flex max-h-[calc(100dvh-2rem)] flex-col border border-border bg-raised text-fg shadow-3 outline-none",
    "inset-x-0 bottom-0 rounded-t-dialog pb-[env(safe-area-inset-bottom)]",
    "sm:inset-x-auto sm:start-1/2 sm:top-1/2 sm:bottom-auto sm:-translate-y-1/2 sm:rounded-dialog sm:pb-0",
    "sm:w-[calc(100vw-3rem)] sm:ltr:-translate-x-1/2 sm:rtl:translate-x-1/2",
    "transition-[opacity,transform] duration-180 ease-out data-ending-style:opacity-0 data-starting-style:opacity-0",
    "data-starting-style:transform-[translateY(0.75rem)] data-ending-style:transform-[translateY(0.75rem)]",
  ],
  {
    variants: { size: { sm: "sm:max-w-md", md: "sm:max-w-lg", lg: "sm:max-w-3xl" } },
    defaultVariants: { size: "md" },
  },
);

export interface DialogProps {
  title: ReactNode;
  description?: ReactNode;
  children?: ReactNode;
  /** Buttons; the main one last. Wrap one that only closes in `DialogClose`. */
  footer?: ReactNode;
  /** A button that opens the dialog; or control it with `open`. */
  trigger?: ReactElement;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  size?: "sm" | "md" | "lg";
  /** False while something would be lost: Escape and a press outside then do nothing. */
  dismissible?: boolean;
  initialFocus?: RefObject<HTMLElement | null>;
}

/** A modal dialog; a bottom sheet on phones. The focus moves in, and back to the opener. */
export function Dialog(props: DialogProps) {
  const t = useTranslations("common");
  const { title, description, children, footer, trigger, size, dismissible = true } = props;
  const popup = useRef<HTMLDivElement>(null);
  return (
    <Base.Root
      open={props.open}
      disablePointerDismissal={!dismissible}
      onOpenChange={(open, details) => {
        if (!open && !dismissible && details.reason === "escape-key") details.cancel();
        else props.onOpenChange?.(open);
      }}
    >
      {trigger ? <Base.Trigger render={trigger} /> : null}
      <Base.Portal>
        <Base.Backdrop className={backdropStyle} />
        <Base.Popup
          ref={popup}
          className={popupStyle({ size })}
          initialFocus={props.initialFocus ?? focusFirstField(popup)}
        >
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

const FIELD = ["input:not([type=hidden])", "textarea", "select"]
  .map((each) => `${each}:not([tabindex="-1"], [aria-hidden="true"])`)
  .join();

/** Where focus goes in a popup: to its first field, but under a finger, which would get the keyboard over what it reads. */
export function focusFirstField(popup: RefObject<HTMLElement | null>) {
  return (how: string) => how === "touch" || (popup.current?.querySelector<HTMLElement>(FIELD) ?? true);
}

/** Makes a button inside a dialog close it. */
export function DialogClose({ children }: { children: ReactElement }) {
  return <Base.Close render={children} />;
}
