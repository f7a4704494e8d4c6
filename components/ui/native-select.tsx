"use client";

import { clsx } from "clsx";
import { ChevronsUpDown } from "lucide-react";
import type { Ref } from "react";
import { controlStyle } from "./control-style";
import { useFieldControl } from "./field-context";
import type { SelectProps } from "./select-props";

/** Native select, for filters and long lists. `Select` renders it on touch devices. */
export function NativeSelect<V extends string>(props: SelectProps<V>) {
  const fieldControl = useFieldControl({ disabled: props.disabled });
  const { options, placeholder, value, defaultValue } = props;
  return (
    <div className="relative">
      <select
        {...fieldControl}
        ref={props.ref as Ref<never>}
        name={props.name}
        aria-label={props["aria-label"]}
        {...(value === undefined ? { defaultValue: defaultValue ?? "" } : { value: value ?? "" })}
        onChange={(event) => props.onValueChange?.(event.target.value as V)}
        onBlur={props.onBlur}
        className={clsx(controlStyle({ size: props.size }), "appearance-none truncate pe-10")}
      >
        {(value ?? defaultValue) ? null : (
          <option value="" disabled hidden>
            {placeholder}
          </option>
        )}
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.disabled}>
            {option.label}
          </option>
        ))}
      </select>
      <ChevronsUpDown className="pointer-events-none absolute end-3 top-1/2 -translate-y-1/2 text-fg-muted" />
    </div>
  );
}
