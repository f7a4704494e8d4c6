"use client";

import { useTranslations } from "next-intl";
import * as z from "zod";
import { CodeField, sixDigits } from "@/components/access/sign-in/code-field";
import { api } from "@/components/api/client";
import { fieldsOf, required } from "@/components/form/fields";
import { FormField } from "@/components/form/form-field";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useOperationForm } from "@/components/form/use-operation-form";
import { verifyEmail } from "@/server/domains/access/verification/contract";

/** The half of the operation that a person types: the mail's code and the address it went to. */
const { email: address } = fieldsOf(verifyEmail).shape;
const codeForm = { id: verifyEmail.id, body: z.object({ email: required(address), code: sixDigits }) };

export interface CodeFormProps {
  /** The address, when the previous page knows it; otherwise the form asks for it. */
  email?: string;
  onVerified: () => void;
}

/** Confirms an address with the six digits of the mail. */
export function CodeForm({ email, onVerified }: CodeFormProps) {
  const t = useTranslations();
  const verify = api.verification.verify.useMutation();
  const form = useOperationForm(codeForm, {
    defaultValues: { email: email ?? "", code: "" },
    submit: (body) => verify.mutateAsync({ body }),
    onSuccess: onVerified,
    onError: (error) => {
      if (error.status !== 400) return false;
      form.setError("code", { type: "server", message: error.message }, { shouldFocus: true });
      return true;
    },
  });
  return (
    <OperationForm form={form}>
      {email ? null : (
        <FormField
          name="email"
          label={t("auth.email")}
          type="email"
          inputMode="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          dir="ltr"
        />
      )}
      <CodeField label={t("auth.verify.code")} />
      <SubmitButton block>{t("auth.verify.submit")}</SubmitButton>
    </OperationForm>
  );
}
