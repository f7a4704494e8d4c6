"use client";

import { Download, Upload } from "lucide-react";
import type { Route } from "next";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useFormProof } from "@/components/accounts/users/use-proof-prompt";
import { api, call } from "@/components/api/client";
import { uploadFile } from "@/components/api/upload-file";
import { FormField } from "@/components/form/form-field";
import { FormReason } from "@/components/form/form-reason";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useAction } from "@/components/form/use-action";
import { useOperationForm } from "@/components/form/use-operation-form";
import { Ltr } from "@/components/ui/bidi";
import { Button } from "@/components/ui/button";
import { FileButton } from "@/components/ui/file-button";
import { FormAlert } from "@/components/ui/form-alert";
import { KeyValue } from "@/components/ui/key-value";
import { LinkButton } from "@/components/ui/link-button";
import { Money } from "@/components/ui/number";
import { TextLink } from "@/components/ui/text-link";
import { Time } from "@/components/ui/time";
import { getInvoicePath } from "../records/admin-paths";
import { Day } from "../records/day";
import type { Payment } from "../records/types";

export function PaymentDetails({ payment, onReversed }: { payment: Payment; onReversed: () => void }) {
  const t = useTranslations("billingAdmin");
  return (
    <div className="flex flex-col gap-8">
      <PaymentFacts payment={payment} />
      <section aria-label={t("payments.receipt")} className="flex flex-col gap-3">
        <h3 className="font-semibold text-sm">{t("payments.receipt")}</h3>
        <ReceiptSection payment={payment} />
      </section>
      {payment.state === "recorded" ? (
        <section aria-label={t("payments.reverse.title")} className="flex flex-col gap-3">
          <h3 className="font-semibold text-sm">{t("payments.reverse.title")}</h3>
          <ReverseSection payment={payment} onDone={onReversed} />
        </section>
      ) : null}
    </div>
  );
}

function PaymentFacts({ payment }: { payment: Payment }) {
  const t = useTranslations("billingAdmin");
  return (
    <KeyValue
      items={[
        { key: "email", label: t("customer"), value: <Ltr>{payment.user.email}</Ltr> },
        {
          key: "amount",
          label: t("amount"),
          value: <Money amount={payment.amount} currency={payment.currency} exact />,
        },
        { key: "paid", label: t("payments.paid"), value: <Day value={payment.paid_at} /> },
        {
          key: "for",
          label: t("payments.for"),
          value: payment.subscription_id
            ? t("payments.subscription", { id: payment.subscription_id })
            : t("payments.licence", { id: payment.licence_id ?? 0 }),
        },
        ...(payment.bank_reference
          ? [
              {
                key: "reference",
                label: t("payments.bankReference"),
                value: <Ltr mono>{payment.bank_reference}</Ltr>,
              },
            ]
          : []),
        ...(payment.note
          ? [{ key: "note", label: t("payments.note"), value: <bdi>{payment.note}</bdi> }]
          : []),
        ...(payment.invoice
          ? [
              {
                key: "invoice",
                label: t("payments.invoice"),
                value: payment.invoice_id ? (
                  <TextLink href={getInvoicePath(payment.invoice_id)}>
                    {t(`payments.invoiceIs.${payment.invoice}`)}
                  </TextLink>
                ) : (
                  t(`payments.invoiceIs.${payment.invoice}`)
                ),
              },
            ]
          : []),
        {
          key: "created",
          label: t("payments.recorded"),
          value: <Time value={payment.created_at} show="date" />,
        },
        ...(payment.reversed_at
          ? [
              {
                key: "reversed",
                label: t("payments.reversed"),
                value: <Time value={payment.reversed_at} show="date" />,
              },
              { key: "why", label: t("payments.why"), value: <bdi>{payment.reverse_reason}</bdi> },
            ]
          : []),
      ]}
    />
  );
}

function ReceiptSection({ payment }: { payment: Payment }) {
  const t = useTranslations("billingAdmin.payments");
  const utils = api.useUtils();
  const attach = useAction(
    async (file: File) => {
      const { uploadReceipt } = await import("@/server/domains/billing/payments/contract");
      await uploadFile(uploadReceipt, file, payment.id);
      return true;
    },
    { successText: () => t("receiptSaved"), onSuccess: () => utils.records.listPayments.invalidate() },
  );
  return (
    <div className="flex flex-wrap items-center gap-2">
      {payment.has_receipt ? (
        <LinkButton
          size="sm"
          icon={<Download />}
          href={`/api/admin/payments/${payment.id}/receipt` as Route}
          prefetch={false}
          download
        >
          {t("receiptOpen")}
        </LinkButton>
      ) : (
        <p className="text-fg-muted text-sm">{t("receiptNone")}</p>
      )}
      <FileButton
        size="sm"
        icon={<Upload />}
        working={attach.isPending}
        accept="application/pdf,image/jpeg,image/png"
        label={t("receipt")}
        onFile={(file) => void attach.run(file)}
      >
        {t(payment.has_receipt ? "receiptReplace" : "receiptAttach")}
      </FileButton>
      <p className="w-full text-caption text-fg-muted">{t("receiptHint")}</p>
    </div>
  );
}

/** Shows a button first, because the form would take the focus and scroll the facts out of view. */
function ReverseSection(props: { payment: Payment; onDone: () => void }) {
  const t = useTranslations("billingAdmin.payments.reverse");
  const [isOpen, setIsOpen] = useState(false);
  if (isOpen) return <ReverseForm {...props} />;
  return (
    <div>
      <Button onClick={() => setIsOpen(true)}>{t("open")}</Button>
    </div>
  );
}

function ReverseForm({ payment, onDone }: { payment: Payment; onDone: () => void }) {
  const t = useTranslations("billingAdmin.payments.reverse");
  const utils = api.useUtils();
  const form = useOperationForm(
    () => import("@/server/domains/billing/payments/contract").then((file) => file.reversePayment),
    {
      proofPrompt: useFormProof(t("title")),
      defaultValues: { reason: "", confirmation: "" },
      submit: (body) => call.payments.reverse.mutate({ params: { id: String(payment.id) }, body }),
      onSuccess: () => {
        void utils.records.invalidate();
        onDone();
      },
    },
  );
  return (
    <OperationForm form={form} label={t("title")}>
      <FormAlert tone="warning">{t(payment.subscription_id ? "subscription" : "licence")}</FormAlert>
      <FormReason label={t("reason")} />
      <FormField
        name="confirmation"
        label={t("confirm", { word: t("word") })}
        dir="auto"
        autoComplete="off"
        spellCheck={false}
      />
      <SubmitButton variant="danger">{t("submit")}</SubmitButton>
    </OperationForm>
  );
}
