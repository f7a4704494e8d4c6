"use client";

import { useTranslations } from "next-intl";
import { CodeField } from "@/components/access/sign-in/code-field";
import { publicCall } from "@/components/api/public-call";
import { FormEmail } from "@/components/form/form-email";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useOperationForm } from "@/components/form/use-operation-form";

export interface CodeFormProps {
  /** Without it, the form asks for the address. */
  email?: string;
  onVerified: () => void;
  onLinkReused?: () => void;
}

export function CodeForm({ email, onVerified, onLinkReused = onVerified }: CodeFormProps) {
  const t = useTranslations();
  const form = useOperationForm(() => import("./forms").then((file) => file.verificationCodeForm), {
    defaultValues: { email: email ?? "", code: "" },
    submit: (body) => publicCall.verification.verify.mutate({ body }),
    showsSuccessToast: false,
    onSuccess: onVerified,
    onError: (error) => {
      if (error.status !== 400) return false;
      if (error.code === "verification_repeated") {
        onLinkReused();
        return true;
      }
      form.setError("code", { type: "server", message: error.message }, { shouldFocus: true });
      return true;
    },
  });
  return (
    <OperationForm form={form}>
      {email ? null : <FormEmail name="email" label={t("auth.email")} autoComplete="email" />}
      <CodeField label={t("auth.verify.code")} isOnlyField={Boolean(email)} />
      <SubmitButton block>{t("auth.verify.submit")}</SubmitButton>
    </OperationForm>
  );
}
