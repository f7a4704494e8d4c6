"use client";

import type { ReactNode } from "react";
import { FormField } from "./form-field";

/** Text field `reason` of an `OperationForm`. */
export function FormReason(texts: { label: ReactNode; hint?: ReactNode }) {
  return <FormField name="reason" {...texts} dir="auto" autoComplete="off" />;
}
