"use client";

import { useTranslations } from "next-intl";
import * as z from "zod";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useOperationForm } from "@/components/form/use-operation-form";
import { CodeField } from "@/components/sign-in/code-field";
import { toast } from "@/components/ui/toast";

const body = z.object({ code: z.string().regex(/^\d{6}$/) });

export interface ConfirmCodeProps {
  /** Of the operation that takes the code. */
  id: string;
  title: string;
  submit: string;
  /** Undefined when the person turned back. */
  confirm: (body: {
    code: string;
  }) => Promise<{ message: string; recovery_codes: readonly string[] | null } | undefined>;
  /** The factor is on; recovery codes come along when the account had none. */
  onConfirmed: (codes: readonly string[] | null) => void;
}

/** The first code of a new factor, which switches it on. */
export function ConfirmCode({ id, title, submit, confirm, onConfirmed }: ConfirmCodeProps) {
  const t = useTranslations("auth.verify");
  const form = useOperationForm(
    { id, body },
    {
      defaultValues: { code: "" },
      submit: confirm,
      onSuccess: (done) => {
        if (!done) return;
        toast.success(done.message);
        onConfirmed(done.recovery_codes);
      },
      onError: ({ status, message, errors }) => {
        if (status !== 422 || !message || Object.keys(errors).length > 0) return false;
        form.setError("code", { type: "server", message }, { shouldFocus: true });
        return true;
      },
    },
  );
  return (
    <OperationForm form={form} label={title}>
      <CodeField label={t("code")} />
      <SubmitButton block>{submit}</SubmitButton>
    </OperationForm>
  );
}
