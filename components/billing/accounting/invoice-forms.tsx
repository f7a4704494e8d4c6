"use client";

import { useTranslations } from "next-intl";
import { useWatch } from "react-hook-form";
import { call } from "@/components/api/client";
import { FormField } from "@/components/form/form-field";
import { FormReason } from "@/components/form/form-reason";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useOperationForm } from "@/components/form/use-operation-form";
import { FormAlert } from "@/components/ui/form-alert";
import { ProfileFields, toProfileValues } from "../billing-profile/profile-fields";
import type { InvoiceDetails } from "./types";

export interface InvoiceFormProps {
  invoice: InvoiceDetails;
  onDone: () => void;
}

const loadContract = () => import("@/server/domains/billing/accounting/contract");

export function InvoiceDataForm({ invoice, onDone }: InvoiceFormProps) {
  const t = useTranslations("accounting.actions");
  const profileTexts = useTranslations("billing.profile");
  const form = useOperationForm(() => loadContract().then((file) => file.putDocumentData), {
    defaultValues: toProfileValues(invoice.bill_to),
    submit: ({ tax_number, ...values }) =>
      call.accounting.putData.mutate({
        params: { id: String(invoice.id) },
        body: { ...values, ...(tax_number ? { tax_number } : {}) },
      }),
    onSuccess: () => onDone(),
  });
  const isCompany = useWatch({ control: form.control, name: "kind" }) === "company";
  return (
    <OperationForm form={form} label={t("change")}>
      <FormAlert tone="info">{t("changeText")}</FormAlert>
      <ProfileFields
        isCompany={isCompany}
        taxNumberLastFour={invoice.bill_to.tax_number_last_four}
        missingFields={invoice.missing}
      />
      <SubmitButton>{profileTexts("save")}</SubmitButton>
    </OperationForm>
  );
}

/** Form to skip an invoice, or to close one that was cancelled by hand. */
export function SkipForm({ invoice, onDone }: InvoiceFormProps) {
  const t = useTranslations("accounting.actions");
  const isCancelledByHand = invoice.step === "cancelling";
  const form = useOperationForm(() => loadContract().then((file) => file.skipDocument), {
    defaultValues: { reason: "", confirmation: "" },
    submit: (body) => call.accounting.skip.mutate({ params: { id: String(invoice.id) }, body }),
    onSuccess: () => onDone(),
  });
  const label = t(isCancelledByHand ? "close" : "skip");
  return (
    <OperationForm form={form} label={label}>
      <FormAlert tone="warning">{t(isCancelledByHand ? "closeText" : "skipText")}</FormAlert>
      <FormReason label={t("reason")} />
      <FormField
        name="confirmation"
        label={t("confirm", { word: t("word") })}
        dir="auto"
        autoComplete="off"
        spellCheck={false}
      />
      <SubmitButton variant="danger">{label}</SubmitButton>
    </OperationForm>
  );
}

export function UnskipForm({ invoice, onDone }: InvoiceFormProps) {
  const t = useTranslations("accounting.actions");
  const form = useOperationForm(() => loadContract().then((file) => file.unskipDocument), {
    defaultValues: { reason: "" },
    submit: (body) => call.accounting.unskip.mutate({ params: { id: String(invoice.id) }, body }),
    onSuccess: () => onDone(),
  });
  return (
    <OperationForm form={form} label={t("lift")}>
      <FormAlert tone="info">{t("liftText")}</FormAlert>
      <FormReason label={t("reason")} />
      <SubmitButton>{t("lift")}</SubmitButton>
    </OperationForm>
  );
}
