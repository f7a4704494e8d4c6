"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { FormReason } from "@/components/form/form-reason";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useOperationForm } from "@/components/form/use-operation-form";
import { Button } from "@/components/ui/button";
import { toast } from "@/components/ui/toast";

export interface ReasonActionProps {
  label: string;
  /** What it does, in one or two sentences. */
  text: string;
  danger?: boolean;
  run: (reason: string) => Promise<{ message: string }>;
  onDone: () => void;
}

/** Something an administrator does to an account, for a reason. A button first: a form would take the focus. */
export function ReasonAction({ label, text, danger, run, onDone }: ReasonActionProps) {
  const [open, setOpen] = useState(false);
  return (
    <div className="flex flex-col gap-3">
      <p className="text-compact text-fg-muted">{text}</p>
      {open ? (
        <ReasonForm
          {...{ label, danger, run }}
          onDone={() => {
            setOpen(false);
            onDone();
          }}
        />
      ) : (
        <div>
          <Button onClick={() => setOpen(true)}>{label}</Button>
        </div>
      )}
    </div>
  );
}

function ReasonForm({ label, danger, run, onDone }: Omit<ReasonActionProps, "text">) {
  const t = useTranslations("admin.access");
  const form = useOperationForm(() => import("./forms").then((file) => file.reasonForm), {
    defaultValues: { reason: "" },
    submit: ({ reason }) => run(reason),
    onSuccess: ({ message }) => {
      toast.success(message);
      form.reset({ reason: "" });
      onDone();
    },
  });
  return (
    <OperationForm form={form} label={label}>
      <FormReason label={t("reason")} hint={t("reasonHint")} />
      <div>
        <SubmitButton variant={danger ? "danger" : "primary"}>{label}</SubmitButton>
      </div>
    </OperationForm>
  );
}
