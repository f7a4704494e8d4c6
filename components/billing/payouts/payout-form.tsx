"use client";

import { useTranslations } from "next-intl";
import { useFormProof } from "@/components/accounts/users/use-proof-prompt";
import { api, call, withIdempotencyKey } from "@/components/api/client";
import { FormAmount } from "@/components/form/form-amount";
import { FormField } from "@/components/form/form-field";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useOperationForm } from "@/components/form/use-operation-form";
import { Ltr } from "@/components/ui/bidi";
import { KeyValue } from "@/components/ui/key-value";
import { Money } from "@/components/ui/number";
import type { ResellerEarnings } from "./types";

export interface PayoutFormProps {
  earnings: ResellerEarnings;
  /** Last day whose earnings count; today if null. */
  until: string | null;
  onDone: () => void;
}

export function PayoutForm({ earnings, until, onDone }: PayoutFormProps) {
  const t = useTranslations("payouts");
  const utils = api.useUtils();
  const form = useOperationForm(
    () => import("@/server/domains/billing/payouts/contract").then((file) => file.recordPayout),
    {
      proofPrompt: useFormProof(t("record")),
      defaultValues: { amount: String(earnings.open), paid_at: "", reference: "", note: "" } as never,
      submit: (body, { idempotencyKey }) =>
        call.payouts.record.mutate(
          { params: { id: String(earnings.id) }, body: { ...body, until } },
          withIdempotencyKey(idempotencyKey),
        ),
      onSuccess: async () => {
        await utils.payouts.list.invalidate();
        onDone();
      },
    },
  );
  return (
    <div className="flex flex-col gap-8">
      <KeyValue
        items={[
          { key: "name", label: t("reseller"), value: <bdi>{earnings.name}</bdi> },
          { key: "email", label: t("email"), value: <Ltr>{earnings.email}</Ltr> },
          {
            key: "open",
            label: t("open"),
            value: <Money amount={earnings.open} currency={earnings.currency} exact />,
          },
        ]}
      />
      <OperationForm form={form} label={t("record")}>
        <FormAmount name="amount" label={t("amount")} hint={t("amountHint")} />
        <FormField name="paid_at" label={t("paidAt")} hint={t("paidAtHint")} type="date" optional />
        <FormField name="reference" label={t("reference")} autoComplete="off" dir="ltr" optional />
        <FormField
          name="note"
          label={t("note")}
          hint={t("noteHint")}
          as="textarea"
          rows={2}
          dir="auto"
          optional
        />
        <SubmitButton>{t("record")}</SubmitButton>
      </OperationForm>
    </div>
  );
}
