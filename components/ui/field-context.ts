"use client";

import { createContext, useContext } from "react";

export interface FieldWiring {
  id: string;
  describedBy?: string;
  labelledBy: string;
  invalid: boolean;
  required: boolean;
  disabled: boolean;
}

export const FieldContext = createContext<FieldWiring | null>(null);

/** Returns the attributes of a control from the surrounding `Field`; its own props take precedence. */
export function useFieldControl(own: {
  id?: string;
  required?: boolean;
  disabled?: boolean;
  "aria-describedby"?: string;
}) {
  const field = useContext(FieldContext);
  return {
    id: own.id ?? field?.id,
    "aria-describedby": own["aria-describedby"] ?? field?.describedBy,
    "aria-invalid": field?.invalid || undefined,
    "aria-required": own.required ?? (field?.required || undefined),
    disabled: own.disabled ?? (field?.disabled || undefined),
  };
}
