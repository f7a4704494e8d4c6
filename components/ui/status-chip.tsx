import type { ReactNode } from "react";
import { TONE_ICON, TONE_SOFT_CLASS, type Tone } from "./tone";

export interface StatusChipProps {
  tone: Tone;
  children: ReactNode;
  icon?: ReactNode;
}

export function StatusChip({ tone, children, icon }: StatusChipProps) {
  const Icon = TONE_ICON[tone];
  return (
    <span
      className={`inline-flex h-6 max-w-full items-center gap-1.5 rounded-full ps-1.5 pe-2.5 font-medium text-caption forced-colors:border print:border [&_.lucide]:size-3.5 ${TONE_SOFT_CLASS[tone]}`}
    >
      {icon ?? <Icon />}
      <span className="truncate">{children}</span>
    </span>
  );
}
