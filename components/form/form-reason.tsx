"use client";

import type { ReactNode } from "react";
import { FormField } from "./form-field";

/** Why somebody does what needs a reason: free text, which browsers have nothing to suggest for. */
export function FormReason(words: { label: ReactNode; hint?: ReactNode }) {
  return <FormField name="reason" {...words} dir="auto" autoComplete="off" />;
}
