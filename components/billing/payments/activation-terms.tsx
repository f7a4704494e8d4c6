"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useEffect } from "react";
import { useFormContext, useWatch } from "react-hook-form";
import { api } from "@/components/api/client";
import { FormCheckbox } from "@/components/form/form-checkbox";
import { FormNumber } from "@/components/form/form-number";
import { FormRecord } from "@/components/form/form-record";
import { SubmitButton } from "@/components/form/operation-form";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { SkeletonRows } from "@/components/ui/skeleton";
import { useFormat } from "@/components/ui/use-format";
import { TransferFields } from "./transfer-fields";

export interface ActivationTermsProps {
  user: number;
  customer: ReactNode;
  onCustomer: () => void;
}

/** Plan, period and transfer. Offers existing orders for activation and subscriptions for renewal. */
export function ActivationTerms({ user, customer, onCustomer }: ActivationTermsProps) {
  const t = useTranslations("billingAdmin.activation");
  const { money, date } = useFormat();
  const { setValue } = useFormContext();
  const plans = api.subscriptions.list.useQuery();
  const owned = api.records.listSubscriptions.useQuery({ query: { user_id: String(user), per_page: "100" } });
  const pending = api.records.listLicences.useQuery({
    query: { user_id: String(user), status: "pending", per_page: "1" },
  });
  const [planId, months, orderId, renewsId] = useWatch({
    name: ["plan_id", "period_months", "order_id", "renews_subscription_id"],
  });
  const plan = plans.data?.data.find(({ id }) => id === Number(planId));
  const rows = owned.data?.data ?? [];
  const basis = rows.find(({ id }) => id === Number(orderId) || id === Number(renewsId));
  useEffect(() => {
    if (basis && !planId) setValue("plan_id", basis.plan_id);
  }, [basis, planId, setValue]);
  if (plans.isPending || owned.isPending) return <SkeletonRows rows={6} />;

  const live = rows.filter(({ status }) => status === "active" || status === "past_due");
  const orders = rows.filter(({ status }) => status === "pending");
  const licences = pending.data?.meta.total ?? 0;
  const period = (row: (typeof rows)[number]) => `${row.plan} · ${date(row.ends_at)} · ${row.reference}`;
  return (
    <Card title={t("terms.title")}>
      <div className="flex flex-col gap-5">
        <div className="flex flex-wrap items-center justify-between gap-3">
          {customer}
          <Button size="sm" onClick={onCustomer}>
            {t("terms.other")}
          </Button>
        </div>
        <div className="grid gap-5 sm:grid-cols-2">
          <FormRecord
            name="plan_id"
            label={t("terms.plan")}
            placeholder={t("terms.choosePlan")}
            options={(plans.data?.data ?? []).map(({ id, name, price }) => ({
              id,
              label: `${name} · ${money(price)}`,
            }))}
          />
          <FormNumber name="period_months" label={t("terms.months")} />
        </div>
        {orders.length > 0 ? (
          <FormRecord
            name="order_id"
            label={t("terms.order")}
            hint={t("terms.orderHint")}
            none={t("terms.noOrder")}
            options={orders.map((row) => ({ id: row.id, label: period(row) }))}
          />
        ) : null}
        {live.length > 0 ? (
          <FormRecord
            name="renews_subscription_id"
            label={t("terms.renews")}
            hint={t("terms.renewsHint")}
            none={t("terms.noRenewal")}
            options={live.map((row) => ({ id: row.id, label: period(row) }))}
          />
        ) : null}
        {licences > 0 ? (
          <FormCheckbox
            name="absorbableLicenses"
            label={t("terms.absorb", { count: licences })}
            hint={t("terms.absorbHint")}
          />
        ) : null}
        <TransferFields amount={plan ? (plan.price * Number(months || 12)) / 12 : undefined} />
        <SubmitButton>{t("terms.next")}</SubmitButton>
      </div>
    </Card>
  );
}
