"use client";

import type { ReactNode } from "react";
import { Select } from "@/components/ui/select";
import type { SelectOption } from "@/components/ui/select-props";
import { FormField } from "./form-field";

export interface FormSelectProps<V extends string> {
  name: string;
  label: ReactNode;
  options: readonly SelectOption<V>[];
  hint?: ReactNode;
  optional?: boolean;
  placeholder?: string;
  disabled?: boolean;
}

export function FormSelect<V extends string>({ options, placeholder, ...props }: FormSelectProps<V>) {
  return (
    <FormField {...props}>
      {(control) => (
        <Select
          ref={control.ref}
          name={control.name}
          options={options}
          placeholder={placeholder}
          value={control.value ?? null}
          onValueChange={control.onChange}
          onBlur={control.onBlur}
        />
      )}
    </FormField>
  );
}
