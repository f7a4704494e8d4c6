"use client";

import { Input, type InputProps } from "@/components/ui/input";
import { FormField, type FormFieldProps } from "./form-field";
import { parseWholeNumber } from "./whole-number";

type Props = Omit<FormFieldProps, "as" | "rows" | "children" | "type" | "max"> & Pick<InputProps, "after">;

/** Whole number; empty is null. `type="number"` would drop a pasted `₺3.999,00` and read `1.000` as 1. */
export function FormNumber({ after, placeholder, ...props }: Props) {
  return (
    <FormField {...props}>
      {(control) => (
        <Input
          ref={control.ref}
          name={control.name}
          inputMode="decimal"
          autoComplete="off"
          dir="ltr"
          after={after}
          placeholder={placeholder}
          value={control.value ?? ""}
          onBlur={({ target }) => {
            control.onChange(parseWholeNumber(target.value));
            control.onBlur();
          }}
          onKeyDown={({ key, currentTarget }) => {
            if (key === "Enter") control.onChange(parseWholeNumber(currentTarget.value));
          }}
          onChange={({ target, nativeEvent }) => {
            // Keep a typed separator: the next digits decide between grouping and decimals.
            const isPasted = (nativeEvent as InputEvent).inputType === "insertFromPaste";
            const isPlain = /^-?\d*$/.test(target.value) && target.value !== "-";
            control.onChange(isPasted || isPlain ? parseWholeNumber(target.value) : target.value);
          }}
        />
      )}
    </FormField>
  );
}
