"use client";

import { Input, type InputProps } from "@/components/ui/input";
import { FormField, type FormFieldProps } from "./form-field";

type Props = Omit<FormFieldProps, "as" | "rows" | "children" | "type"> &
  Pick<InputProps, "min" | "max" | "after">;

/** A whole number of an `OperationForm`; an empty field is null. */
export function FormNumber({ min, max, after, placeholder, ...props }: Props) {
  return (
    <FormField {...props}>
      {(control) => (
        <Input
          ref={control.ref}
          name={control.name}
          type="number"
          inputMode="numeric"
          dir="ltr"
          min={min}
          max={max}
          after={after}
          placeholder={placeholder}
          value={control.value ?? ""}
          onBlur={control.onBlur}
          onChange={({ target }) => control.onChange(target.value === "" ? null : Number(target.value))}
        />
      )}
    </FormField>
  );
}
