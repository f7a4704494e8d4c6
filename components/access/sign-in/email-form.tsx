"use client";

import { useTranslations } from "next-intl";
import type * as z from "zod";
import { FormEmail } from "@/components/form/form-email";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { type LoadOperation, useOperationForm } from "@/components/form/use-operation-form";

export interface EmailFormProps {
  /** An operation whose body is an address only. */
  operation: LoadOperation<z.ZodType<unknown, { email: string }>>;
  email?: string;
  label: string;
  send: (email: string) => Promise<unknown>;
  onSent: (email: string) => void;
}

/** Form with one field, to request a mail. */
export function EmailForm({ operation, email = "", label, send, onSent }: EmailFormProps) {
  const t = useTranslations("auth");
  const form = useOperationForm(operation, {
    defaultValues: { email },
    submit: (values) => send(values.email),
    success: false,
    onSuccess: (_response, values) => onSent(values.email),
  });
  return (
    <OperationForm form={form}>
      <FormEmail name="email" label={t("email")} autoComplete="username" />
      <SubmitButton block>{label}</SubmitButton>
    </OperationForm>
  );
}
