import type { ReactNode } from "react";

export interface ProgressBarProps {
  label: ReactNode;
  value: number;
  max: number;
  valueText: string;
  id: string;
}

export function ProgressBar({ label, value, max, valueText, id }: ProgressBarProps) {
  const share = max > 0 ? Math.min(1, value / max) : 0;
  return (
    <div>
      <div className="mb-1.5 flex justify-between gap-4 text-sm">
        <span id={id} className="font-medium">
          {label}
        </span>
        <span className="text-fg-muted">{valueText}</span>
      </div>
      <div
        role="progressbar"
        aria-labelledby={id}
        aria-valuenow={value}
        aria-valuemin={0}
        aria-valuemax={max}
        aria-valuetext={valueText}
        className="h-2 overflow-hidden rounded-full border border-transparent bg-border forced-colors:border-current"
      >
        <div
          className="knob h-full rounded-full border border-primary-border bg-primary transition-[inline-size] duration-240 ease-out"
          style={{ inlineSize: `${share * 100}%` }}
        />
      </div>
    </div>
  );
}
