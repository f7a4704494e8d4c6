"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { api, once } from "@/components/api/client";
import { FormField } from "@/components/form/form-field";
import { FormNumber } from "@/components/form/form-number";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useOperationForm } from "@/components/form/use-operation-form";
import { Button } from "@/components/ui/button";
import { toast } from "@/components/ui/toast";

/** Gives an account credits, or takes some. A button first: a form would take the focus. */
export function AdjustCredits({ userId }: { userId: number }) {
  const t = useTranslations("billingAdmin.credits");
  const [open, setOpen] = useState(false);
  if (open) return <Form userId={userId} onDone={() => setOpen(false)} />;
  return (
    <div>
      <Button onClick={() => setOpen(true)}>{t("open")}</Button>
    </div>
  );
}

function Form({ userId, onDone }: { userId: number; onDone: () => void }) {
  const t = useTranslations("billingAdmin.credits");
  const utils = api.useUtils();
  const form = useOperationForm(
    () => import("@/server/domains/billing/credits/contract").then((file) => file.adjustCredits),
    {
      defaultValues: { amount: "" as never, note: "" },
      submit: (body, { idempotencyKey }) =>
        utils.client.creditHistory.adjust.mutate(
          { params: { id: String(userId) }, body },
          once(idempotencyKey),
        ),
      onSuccess: ({ credits }) => {
        toast.success(t("done", { credits }));
        onDone();
      },
    },
  );
  return (
    <OperationForm form={form} label={t("title")}>
      <FormNumber name="amount" label={t("amount")} hint={t("amountHint")} />
      <FormField name="note" label={t("note")} hint={t("noteHint")} dir="auto" autoComplete="off" />
      <div>
        <SubmitButton>{t("submit")}</SubmitButton>
      </div>
    </OperationForm>
  );
}
