"use client";

import { type ComponentProps, type ReactNode, useId } from "react";
import { ChoiceLabel } from "./choice-label";

export interface SwitchProps extends Omit<ComponentProps<"input">, "type" | "className"> {
  label: ReactNode;
  hint?: ReactNode;
}

/** Switch with immediate effect. For values saved with a form use `Checkbox`. */
export function Switch({ label, hint, ...props }: SwitchProps) {
  const id = useId();
  return (
    <label className="flex items-start justify-between gap-4 pointer-coarse:min-h-11 pointer-coarse:py-2">
      <ChoiceLabel label={label} hint={hint} hintId={`${id}-hint`} />
      <span className="relative h-6 w-10 shrink-0">
        <input
          {...props}
          type="checkbox"
          // biome-ignore lint/a11y/useAriaPropsForRole: the native checkbox exposes its state
          role="switch"
          aria-describedby={hint ? `${id}-hint` : undefined}
          className="peer absolute inset-0 appearance-none rounded-full border border-border-strong bg-sunken transition-colors duration-120 checked:border-primary-border checked:bg-primary disabled:cursor-not-allowed disabled:opacity-55"
        />
        <span className="knob pointer-events-none absolute start-1 top-1 size-4 rounded-full bg-border-strong transition-transform duration-120 ease-out peer-checked:translate-x-4 peer-checked:bg-primary-fg rtl:peer-checked:-translate-x-4" />
      </span>
    </label>
  );
}
