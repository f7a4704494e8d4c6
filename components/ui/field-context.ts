"use client";

import { createContext, useContext } from "react";

export interface FieldControlState {
  id: string;
  describedBy?: string;
  labelledBy: string;
  invalid: boolean;
  required: boolean;
  disabled: boolean;
}

export const FieldContext = createContext<FieldControlState | null>(null);

/** Returns the attributes of a control from the surrounding `Field`; the control's own props take precedence. */
export function useFieldControl(controlProps: {
  id?: string;
  required?: boolean;
  disabled?: boolean;
  "aria-describedby"?: string;
}) {
  const field = useContext(FieldContext);
  return {
    id: controlProps.id ?? field?.id,
    "aria-describedby": controlProps["aria-describedby"] ?? field?.describedBy,
    "aria-invalid": field?.invalid || undefined,
    "aria-required": controlProps.required ?? (field?.required || undefined),
    disabled: controlProps.disabled ?? (field?.disabled || undefined),
  };
}
