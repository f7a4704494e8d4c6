"use client";

import { useTranslations } from "next-intl";
import { FormReason } from "@/components/form/form-reason";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useOperationForm } from "@/components/form/use-operation-form";
import { Button } from "@/components/ui/button";

export interface ReasonFormProps {
  label: string;
  danger?: boolean;
  /** Namespace of the reason's label and hint. */
  namespace?: "admin.access" | "customers.status";
  /** Returns undefined if the user cancels. */
  run: (reason: string) => Promise<{ message: string } | undefined>;
  onDone: () => void;
  onCancel?: () => void;
}

export function ReasonForm({
  label,
  danger,
  namespace = "admin.access",
  run,
  onDone,
  onCancel,
}: ReasonFormProps) {
  const t = useTranslations(namespace);
  const commonText = useTranslations("common");
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
      <div className="flex flex-wrap gap-2">
        <SubmitButton variant={danger ? "danger" : "primary"}>{label}</SubmitButton>
        {onCancel ? <Button onClick={onCancel}>{commonText("cancel")}</Button> : null}
      </div>
    </OperationForm>
  );
}
