"use client";

import { Input } from "@/components/ui/input";
import { FormField, type FormFieldProps } from "./form-field";

/** An amount of money in an `OperationForm`, as text with a point before its decimals. */
export function FormAmount({
  placeholder,
  ...props
}: Pick<FormFieldProps, "name" | "label" | "hint" | "optional"> & { placeholder?: string }) {
  return (
    <FormField {...props}>
      {(control) => (
        <Input
          ref={control.ref}
          name={control.name}
          placeholder={placeholder}
          inputMode="decimal"
          autoComplete="off"
          dir="ltr"
          value={control.value ?? ""}
          onBlur={control.onBlur}
          // Where a comma separates decimals, people type one.
          onChange={({ target }) => control.onChange(target.value.replace(",", "."))}
        />
      )}
    </FormField>
  );
}
