import { X } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { IconButton } from "./icon-button";
import { TONE_ICON, TONE_SOFT_CLASS, type Tone } from "./tone";

export interface BannerProps {
  tone: Exclude<Tone, "neutral">;
  children: ReactNode;
  action?: ReactNode;
  onClose?: () => void;
  /** Solid warning colour, for impersonation. */
  solid?: boolean;
}

export function Banner({ tone, children, action, onClose, solid }: BannerProps) {
  const t = useTranslations("common");
  const Icon = TONE_ICON[tone];
  return (
    <div
      className={`flex min-h-11 flex-wrap items-center gap-x-3 gap-y-2 border-border border-b px-4 py-1.5 text-sm md:px-6 ${solid ? "bg-warning text-warning-fg" : TONE_SOFT_CLASS[tone]}`}
    >
      <Icon />
      <p className={solid ? "min-w-0 flex-1 font-medium" : "min-w-0 flex-1 text-fg"}>{children}</p>
      {action}
      {onClose ? (
        <IconButton label={t("close")} icon={<X />} size="sm" tooltip={false} onClick={onClose} />
      ) : null}
    </div>
  );
}
