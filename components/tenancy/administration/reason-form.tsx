"use client";

import { useTranslations } from "next-intl";
import { FormReason } from "@/components/form/form-reason";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useOperationForm } from "@/components/form/use-operation-form";

export interface ReasonFormProps {
  label: string;
  danger?: boolean;
  /** Returns undefined if the user cancels. */
  run: (reason: string) => Promise<{ message: string } | undefined>;
  onDone: () => void;
}

export function ReasonForm({ label, danger, run, onDone }: ReasonFormProps) {
  const t = useTranslations("admin.access");
  const form = useOperationForm(() => import("./forms").then((file) => file.reasonForm), {
    defaultValues: { reason: "" },
    submit: ({ reason }) => run(reason),
    onSuccess: () => {
      form.reset({ reason: "" });
      onDone();
    },
  });
  return (
    <OperationForm form={form} label={label}>
      <FormReason label={t("reason")} hint={t("reasonHint")} />
      <SubmitButton variant={danger ? "danger" : "primary"}>{label}</SubmitButton>
    </OperationForm>
  );
}
