"use client";

import { useTranslations } from "next-intl";
import { useProven } from "@/components/accounts/users/use-proven";
import { api, once } from "@/components/api/client";
import { FormReason } from "@/components/form/form-reason";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useOperationForm } from "@/components/form/use-operation-form";
import { Ltr } from "@/components/ui/bidi";
import { Drawer } from "@/components/ui/drawer";
import { KeyValue } from "@/components/ui/key-value";
import { Money } from "@/components/ui/number";
import { toast } from "@/components/ui/toast";
import type { Licence } from "../records/types";
import { TRANSFER, TransferFields } from "./transfer-fields";

export interface LicencePaymentProps {
  licence: Licence;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Records the payment of a licence, or cancels it. */
export function LicencePayment({ licence, open, onOpenChange }: LicencePaymentProps) {
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
        <Form licence={licence} onDone={() => onOpenChange(false)} />
        <section aria-label={t("cancel.title")} className="flex flex-col gap-3">
          <h3 className="font-semibold text-sm">{t("cancel.title")}</h3>
          <p className="text-fg-muted text-sm">{t("cancel.text")}</p>
          <Cancel licence={licence} onDone={() => onOpenChange(false)} />
        </section>
      </div>
    </Drawer>
  );
}

function Form({ licence, onDone }: { licence: Licence; onDone: () => void }) {
  const t = useTranslations("billingAdmin.licences");
  const utils = api.useUtils();
  const { prove, confirmation } = useProven();
  const form = useOperationForm(
    () => import("@/server/domains/billing/payments/contract").then((file) => file.payLicence),
    {
      defaultValues: TRANSFER as never,
      submit: (body, { idempotencyKey }) =>
        prove(t("record"), () =>
          utils.client.payments.payLicence.mutate(
            { params: { id: String(licence.id) }, body },
            once(idempotencyKey),
          ),
        ),
      onSuccess: (done) => {
        if (!done) return;
        toast.success(done.message);
        void utils.records.invalidate();
        onDone();
      },
    },
  );
  return (
    <>
      <OperationForm form={form} label={t("recordTitle")}>
        <TransferFields amount={licence.price} />
        <div>
          <SubmitButton>{t("record")}</SubmitButton>
        </div>
      </OperationForm>
      {confirmation}
    </>
  );
}

function Cancel({ licence, onDone }: { licence: Licence; onDone: () => void }) {
  const t = useTranslations("billingAdmin.licences.cancel");
  const utils = api.useUtils();
  const { prove, confirmation } = useProven();
  const form = useOperationForm(
    () => import("@/server/domains/billing/payments/contract").then((file) => file.cancelLicence),
    {
      defaultValues: { reason: "" },
      submit: (body) =>
        prove(t("submit"), () =>
          utils.client.payments.cancelLicence.mutate({ params: { id: String(licence.id) }, body }),
        ),
      onSuccess: (done) => {
        if (!done) return;
        toast.success(done.message);
        void utils.records.invalidate();
        onDone();
      },
    },
  );
  return (
    <>
      <OperationForm form={form} label={t("title")}>
        <FormReason label={t("reason")} hint={t("reasonHint")} />
        <div>
          <SubmitButton variant="danger">{t("submit")}</SubmitButton>
        </div>
      </OperationForm>
      {confirmation}
    </>
  );
}
