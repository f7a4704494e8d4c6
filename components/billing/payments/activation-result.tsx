"use client";

import { useTranslations } from "next-intl";
import { Card } from "@/components/ui/card";
import { KeyValue } from "@/components/ui/key-value";
import { LinkButton } from "@/components/ui/link-button";
import { Money } from "@/components/ui/number";
import { Time } from "@/components/ui/time";
import { getInvoicePath } from "../records/admin-paths";
import type { Activation } from "./types";

export function ActivationResult({ activation }: { activation: Activation }) {
  const t = useTranslations("billingAdmin.activation");
  const { subscription, payment } = activation;
  return (
    <Card title={t("done.title", { plan: subscription.plan })} description={activation.message}>
      <div className="flex flex-col gap-6">
        <KeyValue
          items={[
            { key: "user", label: t("review.customer"), value: <bdi>{subscription.user.name}</bdi> },
            {
              key: "until",
              label: t("review.until"),
              value: <Time value={subscription.ends_at} show="date" />,
            },
            {
              key: "amount",
              label: t("review.amount"),
              value: <Money amount={payment.amount} currency={payment.currency} exact />,
            },
          ]}
        />
        <div className="flex flex-wrap gap-3">
          <LinkButton variant="primary" href="/admin/payments">
            {t("done.receipt")}
          </LinkButton>
          {payment.invoice_id ? (
            <LinkButton href={getInvoicePath(payment.invoice_id)}>{t("done.invoice")}</LinkButton>
          ) : null}
          <LinkButton href="/admin/subscriptions">{t("done.list")}</LinkButton>
        </div>
      </div>
    </Card>
  );
}
