"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { SubmitButton } from "@/components/form/operation-form";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Checkbox } from "@/components/ui/checkbox";
import { FormAlert } from "@/components/ui/form-alert";
import { KeyValue } from "@/components/ui/key-value";
import { Money } from "@/components/ui/number";
import { Time } from "@/components/ui/time";
import { useFormat } from "@/components/ui/use-format";
import { Day } from "../records/day";
import type { Preview } from "./types";

/**
 * Preview before an activation, inside the form of activation-wizard.tsx. If the payment may have been recorded
 * before, the administrator must first confirm that it is another one.
 */
export function ActivationReview({ preview, onBack }: { preview: Preview; onBack: () => void }) {
  const t = useTranslations("billingAdmin.activation");
  const { date: formatDate } = useFormat();
  const { subscription, payment, invoice, mail } = preview;
  const duplicateCount = preview.recent.length + preview.same_transfer.length;
  const [isConfirmed, setIsConfirmed] = useState(false);
  const [hasMissedConfirmation, setHasMissedConfirmation] = useState(false);
  return (
    <Card title={t("review.title")} description={t("review.text")}>
      <div className="flex flex-col gap-6">
        {duplicateCount > 0 ? (
          <FormAlert
            tone="warning"
            title={t("review.double")}
            action={
              <Checkbox
                label={t("review.doubleSeen")}
                checked={isConfirmed}
                error={hasMissedConfirmation && !isConfirmed ? t("review.doubleFirst") : undefined}
                onChange={(event) => setIsConfirmed(event.target.checked)}
              />
            }
          >
            <ul className="list-disc ps-5">
              {preview.recent.map((row) => (
                <li key={`s${row.id}`}>
                  {t.rich("review.recent", {
                    plan: row.plan,
                    time: () => <Time value={row.created_at} show="date" />,
                  })}
                </li>
              ))}
              {preview.same_transfer.map((row) => (
                <li key={`p${row.id}`}>
                  {t.rich("review.sameTransfer", {
                    reference: row.bank_reference ?? "",
                    date: () => <Day value={row.paid_at} />,
                  })}
                </li>
              ))}
            </ul>
          </FormAlert>
        ) : null}
        {preview.trial_ends_at ? (
          <FormAlert tone="info" title={t("review.trial")}>
            {t("review.trialText", {
              isOver: String(new Date(preview.trial_ends_at) < new Date(preview.subscription.starts_at)),
              date: formatDate(preview.trial_ends_at),
            })}
          </FormAlert>
        ) : null}
        <KeyValue
          items={[
            { key: "user", label: t("review.customer"), value: <bdi>{subscription.user.name}</bdi> },
            { key: "plan", label: t("terms.plan"), value: <bdi>{subscription.plan}</bdi> },
            {
              key: "from",
              label: t("review.from"),
              value: <Time value={subscription.starts_at} show="date" />,
            },
            {
              key: "until",
              label: t("review.until"),
              value: <Time value={subscription.ends_at} show="date" />,
            },
            { key: "slots", label: t("review.slots"), value: subscription.site_slots },
            {
              key: "amount",
              label: t("review.amount"),
              value: <Money amount={payment.amount} currency={payment.currency} exact />,
            },
            { key: "paid", label: t("review.paid"), value: <Day value={payment.paid_at} /> },
            {
              key: "invoice",
              label: t("review.invoice"),
              value:
                invoice.state === "skipped"
                  ? t("review.invoiceSkipped")
                  : invoice.missing.length > 0
                    ? t("review.invoiceMissing", {
                        fields: invoice.missing.map((field) => t(`missing.${field}` as never)).join(", "),
                      })
                    : t("review.invoiceQueued"),
            },
            {
              key: "mail",
              label: t("review.mail"),
              value: mail ? <bdi>{mail.subject}</bdi> : t("review.noMail"),
            },
          ]}
        />
        <RecordList title={t("review.absorbed")} records={preview.absorbed.sites.map(toRecord)} />
        <RecordList
          title={t("review.notFitting")}
          records={preview.absorbed.not_fitting.map(({ id, reference }) => ({ id, name: reference }))}
        />
        <RecordList title={t("review.restored")} records={preview.restored_sites.map(toRecord)} />
        <RecordList title={t("review.suspended")} records={preview.suspended_sites.map(toRecord)} />
        <RecordList
          title={t("review.orders")}
          records={preview.other_orders.map(({ id, plan, reference }) => ({
            id,
            name: plan,
            detail: reference,
          }))}
        />
        <div className="flex flex-wrap gap-3">
          <Button onClick={onBack}>{t("review.back")}</Button>
          {duplicateCount > 0 && !isConfirmed ? (
            <Button variant="primary" onClick={() => setHasMissedConfirmation(true)}>
              {t("review.submit")}
            </Button>
          ) : (
            <SubmitButton>{t("review.submit")}</SubmitButton>
          )}
        </div>
      </div>
    </Card>
  );
}

interface ListedRecord {
  id: number;
  name: string;
  detail?: string;
}

const toRecord = ({ id, name, domain }: { id: number; name: string; domain: string }): ListedRecord => ({
  id,
  name,
  detail: domain,
});

function RecordList({ title, records }: { title: string; records: readonly ListedRecord[] }) {
  if (records.length === 0) return null;
  return (
    <section>
      <h3 className="font-medium text-sm">{title}</h3>
      <ul className="mt-1 list-disc ps-5 text-fg-muted text-sm">
        {records.map(({ id, name, detail }) => (
          <li key={id} className="wrap-anywhere">
            <bdi className="text-fg">{name}</bdi> <bdi>{detail}</bdi>
          </li>
        ))}
      </ul>
    </section>
  );
}
