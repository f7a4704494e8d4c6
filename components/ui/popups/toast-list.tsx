"use client";

import { Toast as Base } from "@base-ui/react/toast";
import { X } from "lucide-react";
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { Button } from "../button";
import { IconButton } from "../icon-button";
import { TONE_ICON, TONE_TEXT_CLASS, type Tone } from "../tone";
import type { ShownToast } from "./props";

export interface ToastListProps {
  onReady: (show: (toast: ShownToast) => void, close: (id: string) => void) => void;
}

/** Toast list. Timeouts pause on hover, on focus and in hidden tabs. */
export function ToastList({ onReady }: ToastListProps) {
  const [manager] = useState(() => Base.createToastManager());
  useEffect(() => {
    onReady(
      ({ action, ...toast }) =>
        manager.add({
          ...toast,
          ...(action && {
            actionProps: {
              children: action.label,
              onClick: () => {
                action.onSelect();
                manager.close(toast.id);
              },
            },
          }),
        }),
      (id) => manager.close(id),
    );
  }, [manager, onReady]);
  return (
    <Base.Provider toastManager={manager} limit={4}>
      <Base.Portal>
        <ToastViewport />
      </Base.Portal>
    </Base.Provider>
  );
}

function ToastViewport() {
  const t = useTranslations("common");
  const { toasts } = Base.useToastManager();
  return (
    <Base.Viewport
      aria-label={t("notices")}
      className="layer-toast fixed inset-x-4 bottom-[calc(1rem+env(safe-area-inset-bottom))] flex flex-col-reverse gap-2 max-sm:bottom-20 sm:start-auto sm:w-96"
      data-print="never"
    >
      {toasts.map((toast) => {
        const tone = (toast.type as Tone | undefined) ?? "neutral";
        const Icon = TONE_ICON[tone];
        return (
          <Base.Root
            key={toast.id}
            toast={toast}
            data-toast
            swipeDirection={["down", "right", "left"]}
            className="rounded-card border border-border bg-raised shadow-3 transition-[opacity,transform] duration-180 ease-out data-ending-style:opacity-0 data-limited:hidden data-starting-style:transform-[translateY(0.5rem)] data-starting-style:opacity-0"
          >
            <Base.Content className="flex items-start gap-3 py-3 ps-4 pe-2">
              <Icon className={`mt-2 ${TONE_TEXT_CLASS[tone]}`} />
              <div className="min-w-0 flex-1 py-[5px]">
                <Base.Title className="font-medium text-fg text-sm" />
                <Base.Description className="mt-0.5 text-fg-muted text-compact" />
              </div>
              {toast.actionProps ? <Base.Action render={<Button data-undo size="sm" />} /> : null}
              <Base.Close
                aria-label={t("close")}
                // Until the toasts have the focus, Base UI hides this tabbable button from screen readers.
                aria-hidden={false}
                render={<IconButton label={t("close")} icon={<X />} size="sm" tooltip={false} />}
              />
            </Base.Content>
          </Base.Root>
        );
      })}
    </Base.Viewport>
  );
}
