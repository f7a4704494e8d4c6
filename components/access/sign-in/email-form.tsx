"use client";

import { useTranslations } from "next-intl";
import type * as z from "zod";
import { FormEmail } from "@/components/form/form-email";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { type LoadOperation, useOperationForm } from "@/components/form/use-operation-form";

export interface EmailFormProps {
  operation: LoadOperation<z.ZodType<unknown, { email: string }>>;
  email?: string;
  submitLabel: string;
  requestMail: (email: string) => Promise<unknown>;
  onSent: (email: string) => void;
}

export function EmailForm({ operation, email = "", submitLabel, requestMail, onSent }: EmailFormProps) {
  const t = useTranslations("auth");
  const form = useOperationForm(operation, {
    defaultValues: { email },
    submit: (values) => requestMail(values.email),
    showsSuccessToast: false,
    onSuccess: (_response, values) => onSent(values.email),
  });
  return (
    <OperationForm form={form}>
      <FormEmail name="email" label={t("email")} autoComplete="username" />
      <SubmitButton block>{submitLabel}</SubmitButton>
    </OperationForm>
  );
}
