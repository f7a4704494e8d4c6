"use client";

import { Toast as Base } from "@base-ui/react/toast";
import { X } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Button } from "./button";
import { IconButton } from "./icon-button";
import { TONE_ICON, TONE_TEXT, type Tone } from "./tone";

const manager = Base.createToastManager();

export interface ToastOptions {
  description?: ReactNode;
  /** Mostly "Undo"; the toast then stays ten seconds. */
  action?: { label: string; onSelect: () => void };
}

function show(tone: Tone, title: ReactNode, { description, action }: ToastOptions = {}): string {
  const id = manager.add({
    title,
    description,
    type: tone,
    timeout: action ? 10_000 : tone === "danger" ? 8000 : 5000,
    ...(action
      ? {
          actionProps: {
            children: action.label,
            onClick: () => {
              action.onSelect();
              manager.close(id);
            },
          },
        }
      : {}),
  });
  return id;
}

/** Short news after an action, from anywhere in the browser: `toast.success(t("sites.created", { name }))`. */
export const toast = {
  neutral: (title: ReactNode, options?: ToastOptions) => show("neutral", title, options),
  success: (title: ReactNode, options?: ToastOptions) => show("success", title, options),
  warning: (title: ReactNode, options?: ToastOptions) => show("warning", title, options),
  danger: (title: ReactNode, options?: ToastOptions) => show("danger", title, options),
  close: (id: string) => manager.close(id),
};

/** Where toasts appear; once, in the root layout. They pause under pointer, focus and in hidden tabs. */
export function ToastProvider({ children }: { children: ReactNode }) {
  return (
    <Base.Provider toastManager={manager} limit={4}>
      {children}
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
      className="layer-toast fixed inset-x-4 bottom-[calc(1rem+env(safe-area-inset-bottom))] flex flex-col-reverse gap-2 max-sm:bottom-20 sm:start-auto sm:w-96"
      data-print="never"
    >
      {toasts.map((item) => {
        const tone = (item.type as Tone | undefined) ?? "neutral";
        const Icon = TONE_ICON[tone];
        return (
          <Base.Root
            key={item.id}
            toast={item}
            swipeDirection={["down", "right", "left"]}
            className="rounded-card border border-border bg-raised shadow-3 transition-[opacity,transform] duration-180 ease-out data-ending-style:opacity-0 data-limited:hidden data-starting-style:transform-[translateY(0.5rem)] data-starting-style:opacity-0"
          >
            <Base.Content className="flex items-start gap-3 py-3 ps-4 pe-2">
              <Icon className={`mt-2 ${TONE_TEXT[tone]}`} />
              <div className="min-w-0 flex-1 py-[5px]">
                <Base.Title className="font-medium text-fg text-sm" />
                <Base.Description className="mt-0.5 text-fg-muted text-compact" />
              </div>
              {item.actionProps ? <Base.Action render={<Button size="sm" />} /> : null}
              <Base.Close
                aria-label={t("close")}
                render={<IconButton label={t("close")} icon={<X />} size="sm" tooltip={false} />}
              />
            </Base.Content>
          </Base.Root>
        );
      })}
    </Base.Viewport>
  );
}
