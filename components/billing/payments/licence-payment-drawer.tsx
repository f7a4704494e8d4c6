"use client";

import { useTranslations } from "next-intl";
import { useFormProof } from "@/components/accounts/users/use-proof-prompt";
import { api, call, withIdempotencyKey } from "@/components/api/client";
import { FormReason } from "@/components/form/form-reason";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useOperationForm } from "@/components/form/use-operation-form";
import { Ltr } from "@/components/ui/bidi";
import { Drawer } from "@/components/ui/drawer";
import { KeyValue } from "@/components/ui/key-value";
import { Money } from "@/components/ui/number";
import type { Licence } from "../records/types";
import { TRANSFER_DEFAULTS, TransferFields } from "./transfer-fields";

export interface LicencePaymentDrawerProps {
  licence: Licence;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function LicencePaymentDrawer({ licence, open, onOpenChange }: LicencePaymentDrawerProps) {
  const t = useTranslations("billingAdmin.licences");
  return (
    <Drawer open={open} onOpenChange={onOpenChange} title={t("recordTitle")}>
      <div className="flex flex-col gap-8">
        <KeyValue
          items={[
            { key: "user", label: t("reseller"), value: <bdi>{licence.user.name}</bdi> },
            { key: "site", label: t("site"), value: <Ltr>{licence.domain}</Ltr> },
            { key: "reference", label: t("reference"), value: <Ltr mono>{licence.reference}</Ltr> },
            {
              key: "price",
              label: t("price"),
              value: <Money amount={licence.price} currency={licence.currency} />,
            },
          ]}
        />
        <PaymentForm licence={licence} onDone={() => onOpenChange(false)} />
        <section aria-label={t("cancel.title")} className="flex flex-col gap-3">
          <h3 className="font-semibold text-sm">{t("cancel.title")}</h3>
          <p className="text-fg-muted text-sm">{t("cancel.text")}</p>
          <CancelForm licence={licence} onDone={() => onOpenChange(false)} />
        </section>
      </div>
    </Drawer>
  );
}

function PaymentForm({ licence, onDone }: { licence: Licence; onDone: () => void }) {
  const t = useTranslations("billingAdmin.licences");
  const utils = api.useUtils();
  const form = useOperationForm(
    () => import("@/server/domains/billing/payments/contract").then((file) => file.payLicence),
    {
      proofPrompt: useFormProof(t("record")),
      defaultValues: TRANSFER_DEFAULTS as never,
      submit: (body, { idempotencyKey }) =>
        call.payments.payLicence.mutate(
          { params: { id: String(licence.id) }, body },
          withIdempotencyKey(idempotencyKey),
        ),
      onSuccess: () => {
        void utils.records.invalidate();
        onDone();
      },
    },
  );
  return (
    <OperationForm form={form} label={t("recordTitle")}>
      <TransferFields expectedAmount={licence.price} />
      <SubmitButton>{t("record")}</SubmitButton>
    </OperationForm>
  );
}

function CancelForm({ licence, onDone }: { licence: Licence; onDone: () => void }) {
  const t = useTranslations("billingAdmin.licences.cancel");
  const utils = api.useUtils();
  const form = useOperationForm(
    () => import("@/server/domains/billing/payments/contract").then((file) => file.cancelLicence),
    {
      proofPrompt: useFormProof(t("submit")),
      defaultValues: { reason: "" },
      submit: (body) => call.payments.cancelLicence.mutate({ params: { id: String(licence.id) }, body }),
      onSuccess: () => {
        void utils.records.invalidate();
        onDone();
      },
    },
  );
  return (
    <OperationForm form={form} label={t("title")}>
      <FormReason label={t("reason")} hint={t("reasonHint")} />
      <SubmitButton variant="danger">{t("submit")}</SubmitButton>
    </OperationForm>
  );
}
