"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useFormProof } from "@/components/accounts/users/use-proof-prompt";
import { api, call, withIdempotencyKey } from "@/components/api/client";
import { FormField } from "@/components/form/form-field";
import { FormNumber } from "@/components/form/form-number";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useOperationForm } from "@/components/form/use-operation-form";
import { Button } from "@/components/ui/button";
import { toast } from "@/components/ui/toast";

export interface InitialValues {
  amount: number | "";
  note: string;
}

interface AdjustFormProps {
  userId: number;
  initialValues: InitialValues;
  onDone: () => void;
}

export function AdjustForm({ userId, initialValues, onDone }: AdjustFormProps) {
  const t = useTranslations("billingAdmin.credits");
  const router = useRouter();
  const utils = api.useUtils();
  const form = useOperationForm(
    () => import("@/server/domains/accounts/credits/contract").then((file) => file.adjustCredits),
    {
      proofPrompt: useFormProof(t("title")),
      defaultValues: initialValues as { amount: never; note: string },
      submit: (body, { idempotencyKey }) =>
        call.credits.adjust.mutate(
          { params: { id: String(userId) }, body },
          withIdempotencyKey(idempotencyKey),
        ),
      showsSuccessToast: false,
      onSuccess: (result) => {
        toast.success(t("done", { credits: result.credits }));
        void utils.credits.listOf.invalidate();
        router.refresh();
        onDone();
      },
    },
  );
  return (
    <OperationForm form={form} label={t("title")}>
      <FormNumber name="amount" label={t("amount")} hint={t("amountHint")} />
      <FormField name="note" label={t("note")} hint={t("noteHint")} dir="auto" autoComplete="off" />
      <div className="flex flex-wrap gap-3">
        <SubmitButton>{t("submit")}</SubmitButton>
        <Button variant="ghost" onClick={onDone}>
          {t("cancel")}
        </Button>
      </div>
    </OperationForm>
  );
}
