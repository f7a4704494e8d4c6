"use client";

import { useTranslations } from "next-intl";
import { useFormProof } from "@/components/accounts/users/use-proof-prompt";
import { api, call } from "@/components/api/client";
import { FormCheckbox } from "@/components/form/form-checkbox";
import { FormField } from "@/components/form/form-field";
import { FormNumber } from "@/components/form/form-number";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useStoredForm } from "@/components/form/use-stored-form";
import { FormAlert } from "@/components/ui/form-alert";
import type { AdminPlan } from "./types";

const pickPlanFields = ({
  name,
  price,
  site_slots,
  monthly_credits,
  sort_order,
  is_active,
  eligible,
}: AdminPlan) => ({
  name,
  price,
  site_slots,
  monthly_credits,
  sort_order,
  is_active,
  eligible,
});

export function PlanForm({ plan, onSaved }: { plan: AdminPlan; onSaved: () => void }) {
  const t = useTranslations("billingAdmin.plans");
  const utils = api.useUtils();
  const form = useStoredForm(
    () => import("@/server/domains/billing/subscriptions/contract").then((file) => file.putPlan),
    {
      proofPrompt: useFormProof(t("edit")),
      stored: pickPlanFields(plan),
      toFormValues: (stored) => stored,
      submit: (body, expected) =>
        call.subscriptions.changePlan.mutate({
          params: { id: String(plan.id) },
          body: { ...body, expected },
        }),
      onStale: utils.subscriptions.listPlans.invalidate,
      onSuccess: async () => {
        await utils.subscriptions.listPlans.invalidate();
        onSaved();
      },
    },
  );
  return (
    <OperationForm form={form} label={t("edit")}>
      {plan.live_count > 0 ? (
        <FormAlert tone="info">{t("kept", { count: plan.live_count })}</FormAlert>
      ) : null}
      <FormField name="name" label={t("name")} dir="auto" autoComplete="off" />
      <FormNumber name="price" label={t("price")} hint={t("priceHint")} />
      <FormNumber name="site_slots" label={t("slots")} />
      <FormNumber name="monthly_credits" label={t("credits")} />
      <FormNumber name="sort_order" label={t("order")} hint={t("orderHint")} />
      <FormCheckbox name="is_active" label={t("active")} hint={t("activeHint")} />
      <FormCheckbox name="eligible" label={t("eligible")} hint={t("eligibleHint")} />
      <SubmitButton>{t("save")}</SubmitButton>
    </OperationForm>
  );
}
