"use client";

import { Check, CircleAlert, Minus } from "lucide-react";
import { type ComponentProps, type ReactNode, useEffect, useId, useRef } from "react";
import { ChoiceLabel } from "./choice-label";

export interface CheckboxProps extends Omit<ComponentProps<"input">, "type" | "className"> {
  label: ReactNode;
  hint?: ReactNode;
  error?: ReactNode;
  indeterminate?: boolean;
  hideLabel?: boolean;
}

export function Checkbox({
  label,
  hint,
  error,
  indeterminate = false,
  hideLabel,
  ref,
  ...props
}: CheckboxProps) {
  const id = useId();
  const inputRef = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (inputRef.current) inputRef.current.indeterminate = indeterminate;
  }, [indeterminate]);
  const describedBy = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(" ") || undefined;
  return (
    <div>
      <label className="group flex items-start gap-3 pointer-coarse:min-h-11 pointer-coarse:py-2.5">
        <span className="relative mt-px grid size-5 shrink-0 place-items-center">
          <input
            {...props}
            type="checkbox"
            ref={(node) => {
              inputRef.current = node;
              if (typeof ref === "function") ref(node);
              else if (ref) ref.current = node;
            }}
            aria-describedby={describedBy}
            aria-invalid={error ? true : undefined}
            className="peer size-5 appearance-none rounded-[5px] border border-border-strong bg-surface transition-colors duration-120 checked:border-primary-border checked:bg-primary indeterminate:border-primary-border indeterminate:bg-primary group-hover:not-checked:border-primary-mark disabled:cursor-not-allowed disabled:border-border disabled:bg-sunken aria-invalid:border-danger"
          />
          <Check
            className="pointer-events-none absolute hidden stroke-3 text-primary-fg peer-checked:block peer-indeterminate:hidden peer-disabled:text-fg-subtle"
            size={14}
          />
          <Minus
            className="pointer-events-none absolute hidden stroke-3 text-primary-fg peer-indeterminate:block"
            size={14}
          />
        </span>
        {hideLabel ? (
          <span className="sr-only">{label}</span>
        ) : (
          <ChoiceLabel label={label} hint={hint} hintId={`${id}-hint`} />
        )}
      </label>
      {error ? (
        <p id={`${id}-error`} className="ms-8 mt-1 flex items-start gap-1.5 text-compact text-danger-text">
          <CircleAlert className="mt-0.5" />
          <span>{error}</span>
        </p>
      ) : null}
    </div>
  );
}
