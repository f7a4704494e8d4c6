"use client";

import type { ReactNode } from "react";
import { Select } from "@/components/ui/select";
import { FormField } from "./form-field";

const NONE = "none";

export interface FormRecordProps {
  name: string;
  label: ReactNode;
  hint?: ReactNode;
  options: readonly { id: number; label: string }[];
  placeholder?: string;
  /** Label of an option for no record, whose value is null. */
  none?: string;
}

export function FormRecord({ options, placeholder, none, ...props }: FormRecordProps) {
  const choices = options.map(({ id, label }) => ({ value: String(id), label }));
  return (
    <FormField {...props}>
      {(control) => (
        <Select
          ref={control.ref}
          name={control.name}
          placeholder={placeholder}
          options={none ? [{ value: NONE, label: none }, ...choices] : choices}
          value={control.value == null || control.value === "" ? (none ? NONE : null) : String(control.value)}
          onValueChange={(value) => control.onChange(value === NONE ? null : Number(value))}
          onBlur={control.onBlur}
        />
      )}
    </FormField>
  );
}
