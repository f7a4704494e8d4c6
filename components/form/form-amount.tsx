"use client";

import { useLocale } from "next-intl";
import { Input } from "@/components/ui/input";
import { getDecimalMark } from "@/server/core/locale";
import { normaliseAmount } from "@/server/core/normalise";
import { FormField, type FormFieldProps } from "./form-field";

/** Amount of money in an `OperationForm`. Accepts local notation and normalises it on blur and Enter. */
export function FormAmount({
  placeholder,
  ...props
}: Pick<FormFieldProps, "name" | "label" | "hint" | "optional"> & { placeholder?: string }) {
  const decimalMark = getDecimalMark(useLocale());
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
          onBlur={({ target }) => {
            control.onChange(normaliseAmount(target.value, decimalMark));
            control.onBlur();
          }}
          onKeyDown={({ key, currentTarget }) => {
            if (key === "Enter") control.onChange(normaliseAmount(currentTarget.value, decimalMark));
          }}
          onChange={({ target }) => control.onChange(target.value)}
        />
      )}
    </FormField>
  );
}
