"use client";

import { useTranslations } from "next-intl";
import { Card } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/link-button";
import { Money } from "@/components/ui/number";
import { getPaymentHref, PLANS_HREF } from "./paths";
import { RenewalTimeline } from "./renewal-timeline";
import type { BilledSubscription, OpenOrder } from "./types";

export interface RenewalCardProps {
  subscription: BilledSubscription;
  /** Open order that replaces a trial. */
  order: OpenOrder | undefined;
}

/** A plan or trial near its end, with the price and the dates that follow. */
export function RenewalCard({ subscription, order }: RenewalCardProps) {
  const t = useTranslations("billing.renewal");
  const { plan, status, is_trial: isTrial, reference } = subscription;
  const name = () => <bdi>{plan}</bdi>;
  return (
    <Card
      title={isTrial ? t("trial") : t.rich(status === "past_due" ? "ended" : "ends", { plan: name })}
      description={
        isTrial
          ? t(order ? "trialOrdered" : "trialText")
          : t.rich("text", {
              amount: () => <Money amount={subscription.renewal_amount} currency={subscription.currency} />,
            })
      }
      actions={
        <LinkButton
          size="sm"
          variant="primary"
          href={isTrial ? (order ? getPaymentHref(order.reference) : PLANS_HREF) : getPaymentHref(reference)}
          labelSuffix={isTrial ? order?.plan : plan}
        >
          {t(isTrial ? (order ? "pay" : "choose") : "renew")}
        </LinkButton>
      }
    >
      <RenewalTimeline subscription={subscription} />
    </Card>
  );
}
