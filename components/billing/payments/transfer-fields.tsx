"use client";

import { useTranslations } from "next-intl";
import { FormAmount } from "@/components/form/form-amount";
import { FormCheckbox } from "@/components/form/form-checkbox";
import { FormField } from "@/components/form/form-field";

export function TransferFields({ expectedAmount }: { expectedAmount?: number }) {
  const t = useTranslations("billingAdmin.transfer");
  return (
    <>
      <div className="grid gap-5 sm:grid-cols-2">
        <FormAmount
          name="amount"
          label={t("amount")}
          hint={t("amountHint")}
          placeholder={expectedAmount === undefined ? undefined : String(expectedAmount)}
          optional
        />
        <FormField name="paid_at" label={t("paidAt")} hint={t("paidAtHint")} type="date" optional />
      </div>
      <FormField
        name="bank_reference"
        label={t("bankReference")}
        hint={t("bankReferenceHint")}
        autoComplete="off"
        dir="ltr"
        optional
      />
      <FormField
        name="note"
        label={t("note")}
        hint={t("noteHint")}
        as="textarea"
        rows={2}
        dir="auto"
        optional
      />
      <FormCheckbox name="create_invoice" label={t("invoice")} hint={t("invoiceHint")} />
      <FormCheckbox name="send_email" label={t("email")} hint={t("emailHint")} />
    </>
  );
}

export const TRANSFER_DEFAULTS = {
  amount: "",
  paid_at: "",
  bank_reference: "",
  note: "",
  create_invoice: true,
  send_email: true,
};
