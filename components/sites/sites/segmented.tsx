"use client";

import { type ReactNode, useId } from "react";

export interface SegmentedProps<V extends string> {
  label: string;
  value: V;
  options: readonly { value: V; label: string; icon: ReactNode }[];
  onValueChange: (value: V) => void;
  showLabels?: boolean;
}

export function Segmented<V extends string>({
  label,
  value,
  options,
  onValueChange,
  showLabels,
}: SegmentedProps<V>) {
  const name = useId();
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 text-caption text-fg-muted">{label}</legend>
      <div className="flex w-fit rounded-control border border-border bg-sunken p-0.5">
        {options.map((option) => (
          <label
            key={option.value}
            title={showLabels ? undefined : option.label}
            className="flex min-h-8 min-w-8 cursor-pointer items-center justify-center gap-2 rounded-[5px] px-2 font-medium text-compact text-fg-muted transition-colors duration-120 hover:text-fg has-checked:bg-surface has-checked:text-fg has-checked:shadow-1 has-focus-visible:outline-2 has-focus-visible:outline-ring forced-colors:has-checked:outline-2 pointer-coarse:min-h-11 pointer-coarse:min-w-11"
          >
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onValueChange(option.value)}
              className="sr-only"
            />
            {option.icon}
            <span className={showLabels ? undefined : "sr-only"}>{option.label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
