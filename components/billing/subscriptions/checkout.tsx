"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { call } from "@/components/api/client";
import type { Profile } from "@/components/billing/billing-profile/profile-fields";
import { useAction } from "@/components/form/use-action";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { lazyPart } from "@/components/ui/lazy-part";
import { SkeletonRows } from "@/components/ui/skeleton";
import type { CheckoutFormProps } from "./checkout-details-form";
import { CheckoutTerms } from "./checkout-terms";
import type { Checkout } from "./types";
import { useOpenPayment } from "./use-open-payment";

const CheckoutDetailsForm = lazyPart(
  () => import("./checkout-details-form").then((file) => file.CheckoutDetailsForm),
  { loading: () => <SkeletonRows rowCount={6} /> },
);

/** Billing details, terms and the button that orders. Complete details are shown and can be changed. */
export function CheckoutForm({ checkout, profile }: CheckoutFormProps) {
  const [isEditing, setIsEditing] = useState(checkout.missing_details.length > 0);
  return isEditing || !profile ? (
    <CheckoutDetailsForm checkout={checkout} profile={profile} />
  ) : (
    <KnownDetails checkout={checkout} profile={profile} onEdit={() => setIsEditing(true)} />
  );
}

function KnownDetails({
  checkout,
  profile,
  onEdit,
}: {
  checkout: Checkout;
  profile: Profile;
  onEdit: () => void;
}) {
  const t = useTranslations("billing.checkout");
  const openPayment = useOpenPayment();
  const order = useAction(() => call.subscriptions.order.mutate({ body: { plan_id: checkout.plan.id } }), {
    successText: false,
    onSuccess: ({ order: placedOrder }) => openPayment(placedOrder.reference),
  });
  const place = [profile.district, profile.city].filter(Boolean).join(", ");
  return (
    <Card
      title={t("details")}
      actions={
        <Button size="sm" onClick={onEdit}>
          {t("edit")}
        </Button>
      }
    >
      <div className="flex flex-col gap-5">
        <address className="wrap-anywhere text-sm not-italic">
          {[profile.title, profile.address, place, profile.tax_office].filter(Boolean).map((line) => (
            <bdi key={line} className="block">
              {line}
            </bdi>
          ))}
        </address>
        <CheckoutTerms />
        <Button block variant="primary" working={order.isPending} onClick={() => order.run()}>
          {t("submit")}
        </Button>
      </div>
    </Card>
  );
}
