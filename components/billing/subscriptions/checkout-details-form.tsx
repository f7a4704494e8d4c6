"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useWatch } from "react-hook-form";
import { call } from "@/components/api/client";
import {
  type Profile,
  ProfileFields,
  toProfileValues,
} from "@/components/billing/billing-profile/profile-fields";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useOperationForm } from "@/components/form/use-operation-form";
import { Card } from "@/components/ui/card";
import { CheckoutTerms } from "./checkout-terms";
import { isOrderClosed } from "./order-closed";
import type { Checkout } from "./types";
import { useOpenPayment } from "./use-open-payment";

export interface CheckoutFormProps {
  checkout: Checkout;
  profile: Profile | null;
  /** Open orders to cancel with this one. */
  replacedOrderIds: number[];
}

export function CheckoutDetailsForm({ checkout, profile, replacedOrderIds }: CheckoutFormProps) {
  const t = useTranslations("billing.checkout");
  const router = useRouter();
  const openPayment = useOpenPayment();
  const expected = profile && toExpected(profile);
  const hasTaxNumber = Boolean(profile?.tax_number_last_four);
  const form = useOperationForm(
    () => import("./checkout-form-contract").then((file) => file.buildCheckoutForm({ hasTaxNumber })),
    {
      defaultValues: toProfileValues(profile),
      showsSuccessToast: false,
      draftName: "checkout",
      submit: ({ tax_number, ...values }) =>
        call.subscriptions.order.mutate({
          body: {
            plan_id: checkout.plan.id,
            replaces_order_ids: replacedOrderIds,
            bill_to: { ...values, ...(tax_number ? { tax_number } : {}), expected },
          },
        }),
      onSuccess: ({ order }) => openPayment(order.reference),
      onError: (error) => {
        if (isOrderClosed(error)) router.refresh();
        return false;
      },
    },
  );
  const isCompany = useWatch({ control: form.control, name: "kind" }) === "company";
  return (
    <Card title={t("details")} description={t("detailsText")}>
      <OperationForm form={form} label={t("details")}>
        <ProfileFields
          isCompany={isCompany}
          taxNumberLastFour={profile?.tax_number_last_four}
          missingFields={["address", "district", "city", "tax_office", ...(isCompany ? ["tax_number"] : [])]}
        />
        <CheckoutTerms checkout={checkout} replacedOrderIds={replacedOrderIds} />
        <SubmitButton block>{t("submit")}</SubmitButton>
      </OperationForm>
    </Card>
  );
}

function toExpected({ updated_at: _, ...details }: Profile) {
  return details;
}
