import { clsx } from "clsx";
import type { ReactNode } from "react";

export interface SlotBarProps {
  used: number;
  total: number;
  /** Example: "3 of 5 slots used". The bar is hidden from screen readers. */
  label: ReactNode;
}

/** Used slots of a plan: one box per slot up to twelve, else one bar. */
export function SlotBar({ used, total, label }: SlotBarProps) {
  const boxCount = total <= 12 ? total : 1;
  return (
    <div>
      <p className="mb-1.5 text-sm">{label}</p>
      <div aria-hidden className="flex gap-1">
        {Array.from({ length: boxCount }, (_, slot) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: slots have no identity
            key={slot}
            className={clsx(
              "h-2 min-w-2 flex-1 overflow-hidden rounded-full bg-border forced-colors:border",
              total <= 12 && slot < used && "knob border border-primary-border bg-primary",
            )}
          >
            {total > 12 ? (
              <span
                className="knob block h-full rounded-full border border-primary-border bg-primary"
                style={{ inlineSize: `${Math.min(1, used / total) * 100}%` }}
              />
            ) : null}
          </span>
        ))}
      </div>
    </div>
  );
}
