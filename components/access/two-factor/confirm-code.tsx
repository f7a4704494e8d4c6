"use client";

import { useTranslations } from "next-intl";
import { CodeField } from "@/components/access/sign-in/code-field";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useOperationForm } from "@/components/form/use-operation-form";
import { useCoarsePointer } from "@/components/ui/use-coarse-pointer";

export interface ConfirmCodeProps<Result extends { message: string }> {
  title: string;
  submitLabel: string;
  confirm: (body: { code: string }) => Promise<Result | undefined>;
  onConfirmed: (result: Result) => void;
}

export function ConfirmCode<Result extends { message: string }>({
  title,
  submitLabel,
  confirm,
  onConfirmed,
}: ConfirmCodeProps<Result>) {
  const t = useTranslations("auth.verify");
  // On touch the keyboard would cover the QR code above.
  const hasCoarsePointer = useCoarsePointer();
  const form = useOperationForm(() => import("./forms").then((file) => file.sixDigitCodeForm), {
    defaultValues: { code: "" },
    submit: confirm,
    onSuccess: (result) => onConfirmed(result),
    onError: ({ status, message, errors }) => {
      if (status !== 422 || !message || Object.keys(errors).length > 0) return false;
      form.setError("code", { type: "server", message }, { shouldFocus: true });
      return true;
    },
  });
  return (
    <OperationForm form={form} label={title}>
      <CodeField label={t("code")} focusOnMount={!hasCoarsePointer} />
      <SubmitButton block>{submitLabel}</SubmitButton>
    </OperationForm>
  );
}
