"use client";

import { clsx } from "clsx";
import { X } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { IconButton } from "./icon-button";
import { TONE_ICON, TONE_SOFT_CLASS, type Tone } from "./tone";
import { useDismissed } from "./use-dismissed";

export interface BannerProps {
  tone: Exclude<Tone, "neutral">;
  children: ReactNode;
  action?: ReactNode;
  onClose?: () => void;
  /** Lets the user close the banner until the tab is closed, stored under this key. Not for duties. */
  dismissKey?: string;
  /** Solid warning colour, for impersonation. */
  solid?: boolean;
}

export function Banner({ tone, children, action, onClose, dismissKey, solid }: BannerProps) {
  const t = useTranslations("common");
  const [isDismissed, dismiss] = useDismissed(dismissKey);
  const Icon = TONE_ICON[tone];
  const close = onClose ?? (dismissKey ? dismiss : undefined);
  if (isDismissed) return null;
  return (
    <div
      className={clsx(
        "flex min-h-11 items-center gap-x-3 gap-y-2 border-border border-b px-4 py-1.5 text-sm sm:flex-wrap md:px-6",
        solid ? "flex-wrap bg-warning text-warning-fg" : TONE_SOFT_CLASS[tone],
      )}
    >
      <Icon className={clsx(!solid && "max-sm:hidden")} />
      <p
        className={clsx(
          "min-w-0 flex-1",
          solid ? "font-medium" : "text-fg max-sm:text-compact",
          dismissKey && "max-sm:line-clamp-2",
        )}
      >
        {children}
      </p>
      {action}
      {close ? (
        <IconButton label={t("close")} icon={<X />} size="sm" tooltip={false} onClick={close} />
      ) : null}
    </div>
  );
}
