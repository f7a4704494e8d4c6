"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { call } from "@/components/api/client";
import type { Profile } from "@/components/billing/billing-profile/profile-fields";
import { useAction } from "@/components/form/use-action";
import { Ltr } from "@/components/ui/bidi";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { lazyPart } from "@/components/ui/lazy-part";
import { SkeletonRows } from "@/components/ui/skeleton";
import type { CheckoutFormProps } from "./checkout-details-form";
import { CheckoutEffects } from "./checkout-effects";
import { CheckoutTerms } from "./checkout-terms";
import { isOrderClosed } from "./order-closed";
import type { Checkout } from "./types";
import { useOpenPayment } from "./use-open-payment";

const CheckoutDetailsForm = lazyPart(
  () => import("./checkout-details-form").then((file) => file.CheckoutDetailsForm),
  { loading: () => <SkeletonRows rowCount={6} /> },
);

export interface OrderPlanProps {
  checkout: Checkout;
  profile: Profile | null;
  /** False for viewers who may look, but not order. */
  canOrder: boolean;
}

/** Effects of the order, billing details, terms and the button that orders. */
export function OrderPlan({ checkout, profile, canOrder }: OrderPlanProps) {
  const [keptOrderIds, setKeptOrderIds] = useState<readonly number[]>([]);
  const [isEditing, setIsEditing] = useState(checkout.missing_details.length > 0);
  const replacedOrderIds = checkout.orders.map(({ id }) => id).filter((id) => !keptOrderIds.includes(id));
  return (
    <>
      <CheckoutEffects
        checkout={checkout}
        keptOrderIds={keptOrderIds}
        onKeepOrder={
          canOrder
            ? (id, isKept) =>
                setKeptOrderIds((ids) => (isKept ? [...ids, id] : ids.filter((keptId) => keptId !== id)))
            : undefined
        }
      />
      {!canOrder ? null : isEditing || !profile ? (
        <CheckoutDetailsForm checkout={checkout} profile={profile} replacedOrderIds={replacedOrderIds} />
      ) : (
        <KnownDetails
          checkout={checkout}
          profile={profile}
          replacedOrderIds={replacedOrderIds}
          onEdit={() => setIsEditing(true)}
        />
      )}
    </>
  );
}

interface KnownDetailsProps extends CheckoutFormProps {
  profile: Profile;
  onEdit: () => void;
}

/** Complete details are shown, and can be changed. */
function KnownDetails({ checkout, profile, replacedOrderIds, onEdit }: KnownDetailsProps) {
  const t = useTranslations("billing.checkout");
  const tProfile = useTranslations("billing.profile");
  const openPayment = useOpenPayment();
  const router = useRouter();
  const body = { plan_id: checkout.plan.id, replaces_order_ids: replacedOrderIds };
  const order = useAction(() => call.subscriptions.order.mutate({ body }), {
    successText: false,
    onSuccess: ({ order: placedOrder }) => openPayment(placedOrder.reference),
    onError: (error) => {
      if (isOrderClosed(error)) router.refresh();
    },
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
          {[profile.title, profile.address, place].filter(Boolean).map((line) => (
            <span key={line} className="block">
              <bdi>{line}</bdi>
            </span>
          ))}
          {profile.tax_office ? (
            <span className="block">
              <span className="text-fg-muted">{tProfile("taxOffice")}</span> <bdi>{profile.tax_office}</bdi>
            </span>
          ) : null}
          {profile.tax_number_last_four ? (
            <span className="block">
              <span className="text-fg-muted">{tProfile(profile.kind === "company" ? "vkn" : "tckn")}</span>{" "}
              <Ltr>{`••• ${profile.tax_number_last_four}`}</Ltr>
            </span>
          ) : null}
        </address>
        <CheckoutTerms checkout={checkout} replacedOrderIds={replacedOrderIds} />
        <Button block variant="primary" working={order.isPending} onClick={() => order.run()}>
          {t("submit")}
        </Button>
      </div>
    </Card>
  );
}
