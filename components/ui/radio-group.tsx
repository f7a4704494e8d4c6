"use client";

import { type ReactNode, useContext, useId } from "react";
import { ChoiceLabel } from "./choice-label";
import { FieldContext } from "./field-context";

interface RadioOption<V extends string> {
  value: V;
  label: ReactNode;
  hint?: ReactNode;
  disabled?: boolean;
}

export interface RadioGroupProps<V extends string> {
  options: readonly RadioOption<V>[];
  value?: V;
  defaultValue?: V;
  onValueChange?: (value: V) => void;
  name?: string;
  cards?: boolean;
  /** Needed without a surrounding `Field group`. */
  "aria-label"?: string;
}

export function RadioGroup<V extends string>({
  options,
  value,
  defaultValue,
  onValueChange,
  name,
  cards,
  ...props
}: RadioGroupProps<V>) {
  const field = useContext(FieldContext);
  const id = useId();
  return (
    <div
      role="radiogroup"
      aria-label={props["aria-label"]}
      aria-labelledby={props["aria-label"] ? undefined : field?.labelledBy}
      aria-describedby={field?.describedBy}
      aria-invalid={field?.invalid || undefined}
      className="flex flex-col gap-2"
    >
      {options.map((option) => (
        <label
          key={option.value}
          className={
            cards
              ? "flex items-start gap-3 rounded-card border border-border bg-surface p-4 transition-colors duration-120 hover:border-border-strong has-checked:border-primary-mark has-checked:bg-primary-soft"
              : "flex items-start gap-3 pointer-coarse:min-h-11 pointer-coarse:py-2.5"
          }
        >
          <input
            type="radio"
            name={name ?? id}
            value={option.value}
            disabled={option.disabled ?? field?.disabled}
            {...(value === undefined
              ? { defaultChecked: option.value === defaultValue }
              : { checked: option.value === value })}
            onChange={() => onValueChange?.(option.value)}
            aria-describedby={option.hint ? `${id}-${option.value}` : undefined}
            className="mt-px size-5 shrink-0 appearance-none rounded-full border border-border-strong bg-surface transition-colors duration-120 checked:border-6 checked:border-primary checked:bg-primary-fg checked:shadow-[0_0_0_1px_var(--primary-border)] disabled:cursor-not-allowed disabled:bg-sunken"
          />
          <ChoiceLabel label={option.label} hint={option.hint} hintId={`${id}-${option.value}`} />
        </label>
      ))}
    </div>
  );
}
