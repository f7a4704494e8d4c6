"use client";

import type { ReactNode } from "react";
import { FormField } from "./form-field";

/** Free-text reason for an action. */
export function FormReason(words: { label: ReactNode; hint?: ReactNode }) {
  return <FormField name="reason" {...words} dir="auto" autoComplete="off" />;
}
