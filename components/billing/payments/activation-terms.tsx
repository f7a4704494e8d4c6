"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useEffect } from "react";
import { useFormContext, useWatch } from "react-hook-form";
import { api } from "@/components/api/client";
import { FormCheckbox } from "@/components/form/form-checkbox";
import { FormNumber } from "@/components/form/form-number";
import { FormRecordSelect } from "@/components/form/form-record-select";
import { SubmitButton } from "@/components/form/operation-form";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { SkeletonRows } from "@/components/ui/skeleton";
import { useFormat } from "@/components/ui/use-format";
import { TransferFields } from "./transfer-fields";

export interface ActivationTermsProps {
  userId: number;
  customerCard: ReactNode;
  onChangeCustomer: () => void;
}

/** Plan, period and transfer. Offers the customer's orders for activation and subscriptions for renewal. */
export function ActivationTerms({ userId, customerCard, onChangeCustomer }: ActivationTermsProps) {
  const t = useTranslations("billingAdmin.activation");
  const { money: formatMoney, date: formatDate } = useFormat();
  const { setValue } = useFormContext();
  const plansQuery = api.subscriptions.list.useQuery();
  const subscriptionsQuery = api.records.listSubscriptions.useQuery({
    query: { user_id: String(userId), per_page: "100" },
  });
  const pendingLicencesQuery = api.records.listLicences.useQuery({
    query: { user_id: String(userId), status: "pending", per_page: "1" },
  });
  const [planId, months, orderId, renewsId] = useWatch({
    name: ["plan_id", "period_months", "order_id", "renews_subscription_id"],
  });
  const plan = plansQuery.data?.data.find(({ id }) => id === Number(planId));
  const subscriptions = subscriptionsQuery.data?.data ?? [];
  const selectedSubscription = subscriptions.find(
    ({ id }) => id === Number(orderId) || id === Number(renewsId),
  );
  useEffect(() => {
    if (selectedSubscription && !planId) setValue("plan_id", selectedSubscription.plan_id);
  }, [selectedSubscription, planId, setValue]);
  if (plansQuery.isPending || subscriptionsQuery.isPending) return <SkeletonRows rowCount={6} />;

  const activeSubscriptions = subscriptions.filter(
    ({ status }) => status === "active" || status === "past_due",
  );
  const orders = subscriptions.filter(({ status }) => status === "pending");
  const pendingLicenceCount = pendingLicencesQuery.data?.meta.total ?? 0;
  const formatLabel = (
    key: "orderOption" | "renewalOption" | "trialOption",
    row: (typeof subscriptions)[number],
  ) => t(`terms.${key}`, { plan: row.plan, date: formatDate(row.ends_at), reference: row.reference });
  return (
    <Card title={t("terms.title")}>
      <div className="flex flex-col gap-5">
        <div className="flex flex-wrap items-center justify-between gap-3">
          {customerCard}
          <Button size="sm" onClick={onChangeCustomer}>
            {t("terms.other")}
          </Button>
        </div>
        <div className="grid gap-5 sm:grid-cols-2">
          <FormRecordSelect
            name="plan_id"
            label={t("terms.plan")}
            placeholder={t("terms.choosePlan")}
            options={(plansQuery.data?.data ?? []).map(({ id, name, price }) => ({
              id,
              label: `${name} · ${formatMoney(price)}`,
            }))}
          />
          <FormNumber name="period_months" label={t("terms.months")} />
        </div>
        {orders.length > 0 ? (
          <FormRecordSelect
            name="order_id"
            label={t("terms.order")}
            hint={t("terms.orderHint")}
            noneLabel={t("terms.noOrder")}
            options={orders.map((row) => ({ id: row.id, label: formatLabel("orderOption", row) }))}
          />
        ) : null}
        {activeSubscriptions.length > 0 ? (
          <FormRecordSelect
            name="renews_subscription_id"
            label={t("terms.renews")}
            hint={t("terms.renewsHint")}
            noneLabel={t("terms.noRenewal")}
            options={activeSubscriptions.map((row) => ({
              id: row.id,
              label: formatLabel(row.is_trial ? "trialOption" : "renewalOption", row),
            }))}
          />
        ) : null}
        {pendingLicenceCount > 0 ? (
          <FormCheckbox
            name="absorbableLicenses"
            label={t("terms.absorb", { count: pendingLicenceCount })}
            hint={t("terms.absorbHint")}
          />
        ) : null}
        <TransferFields expectedAmount={plan ? (plan.price * Number(months || 12)) / 12 : undefined} />
        <SubmitButton>{t("terms.next")}</SubmitButton>
      </div>
    </Card>
  );
}
