"use client";

import type { ReactNode } from "react";
import { FormField } from "./form-field";

export function FormReason(words: { label: ReactNode; hint?: ReactNode }) {
  return <FormField name="reason" {...words} dir="auto" autoComplete="off" />;
}
