"use client";

import type { ReactNode } from "react";
import { Select } from "@/components/ui/select";
import { FormField } from "./form-field";

const NO_RECORD = "none";

export interface FormRecordSelectProps {
  name: string;
  label: ReactNode;
  hint?: ReactNode;
  options: readonly { id: number; label: string }[];
  placeholder?: string;
  /** Label of an option for no record, whose value is null. */
  noneLabel?: string;
}

export function FormRecordSelect({ options, placeholder, noneLabel, ...props }: FormRecordSelectProps) {
  const recordOptions = options.map(({ id, label }) => ({ value: String(id), label }));
  return (
    <FormField {...props}>
      {(control) => (
        <Select
          ref={control.ref}
          name={control.name}
          placeholder={placeholder}
          options={noneLabel ? [{ value: NO_RECORD, label: noneLabel }, ...recordOptions] : recordOptions}
          value={
            control.value == null || control.value === ""
              ? noneLabel
                ? NO_RECORD
                : null
              : String(control.value)
          }
          onValueChange={(value) => control.onChange(value === NO_RECORD ? null : Number(value))}
          onBlur={control.onBlur}
        />
      )}
    </FormField>
  );
}
