"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { api, once } from "@/components/api/client";
import { FormField } from "@/components/form/form-field";
import { FormNumber } from "@/components/form/form-number";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useOperationForm } from "@/components/form/use-operation-form";
import { Button } from "@/components/ui/button";
import { toast } from "@/components/ui/toast";
import { useFormat } from "@/components/ui/use-format";

export interface AdjustCreditsProps {
  userId: number;
  /** Running subscriptions: the credits of a month of each can be given with a form that is filled in. */
  plans?: readonly { id: number; plan: string; credits: number }[];
}

interface Filled {
  amount: number | "";
  note: string;
}

/** Gives an account credits, or takes some. A button first: a form would take the focus. */
export function AdjustCredits({ userId, plans = [] }: AdjustCreditsProps) {
  const t = useTranslations("billingAdmin.credits");
  const { month, number } = useFormat();
  const [filled, setFilled] = useState<Filled>();
  if (filled) return <Form userId={userId} filled={filled} onDone={() => setFilled(undefined)} />;
  const noteOf = (plan: string) => t("monthNote", { plan, month: month(new Date()) });
  return (
    <div className="flex flex-wrap gap-3">
      <Button onClick={() => setFilled({ amount: "", note: "" })}>{t("open")}</Button>
      {plans.map(({ id, plan, credits }) => (
        <Button key={id} onClick={() => setFilled({ amount: credits, note: noteOf(plan) })}>
          {t("month", { plan, credits: number(credits) })}
        </Button>
      ))}
    </div>
  );
}

function Form({ userId, filled, onDone }: { userId: number; filled: Filled; onDone: () => void }) {
  const t = useTranslations("billingAdmin.credits");
  const router = useRouter();
  const utils = api.useUtils();
  const form = useOperationForm(
    () => import("@/server/domains/billing/credits/contract").then((file) => file.adjustCredits),
    {
      defaultValues: filled as { amount: never; note: string },
      submit: (body, { idempotencyKey }) =>
        utils.client.creditHistory.adjust.mutate(
          { params: { id: String(userId) }, body },
          once(idempotencyKey),
        ),
      onSuccess: ({ credits }) => {
        toast.success(t("done", { credits }));
        void utils.creditHistory.listOf.invalidate();
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
