"use client";

import type { ReactNode } from "react";
import { Checkbox } from "@/components/ui/checkbox";
import { useFormControl } from "./form-field";

export interface FormCheckboxProps {
  name: string;
  label: ReactNode;
  hint?: ReactNode;
  disabled?: boolean;
}

export function FormCheckbox({ name, ...props }: FormCheckboxProps) {
  const { field, error } = useFormControl(name);
  return (
    <Checkbox
      {...props}
      name={name}
      ref={field.ref}
      checked={Boolean(field.value)}
      error={error}
      onBlur={field.onBlur}
      onChange={(event) => field.onChange(event.target.checked)}
    />
  );
}
