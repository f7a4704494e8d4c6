"use client";

import { useTranslations } from "next-intl";
import { Ltr } from "@/components/ui/bidi";
import { Checkbox } from "@/components/ui/checkbox";
import { FormAlert } from "@/components/ui/form-alert";
import { LinkButton } from "@/components/ui/link-button";
import { useFormat } from "@/components/ui/use-format";
import { getPaymentHref } from "./paths";
import type { Checkout } from "./types";

export interface CheckoutEffectsProps {
  checkout: Checkout;
  /** Open orders that this one does not replace. */
  keptOrderIds: readonly number[];
  /** Left out for viewers who cannot order. */
  onKeepOrder: ((id: number, isKept: boolean) => void) | undefined;
}

/** Effects of the order on earlier orders, running plans and their sites. */
export function CheckoutEffects({ checkout, keptOrderIds, onKeepOrder }: CheckoutEffectsProps) {
  const t = useTranslations("billing.checkout.effect");
  const { date: formatDate, money: formatMoney } = useFormat();
  const { plan, current, orders, restored_count: restoredCount } = checkout;
  const newPlan = () => <bdi>{plan.name}</bdi>;
  return (
    <>
      {orders.map((order) => (
        <FormAlert
          key={order.id}
          tone="warning"
          title={t.rich("ordered", {
            plan: () => <bdi>{order.plan}</bdi>,
            date: formatDate(order.expires_at),
          })}
          action={
            <div className="flex flex-col items-start gap-3">
              {onKeepOrder ? (
                <Checkbox
                  label={t.rich("replace", { plan: () => <bdi>{order.plan}</bdi> })}
                  checked={!keptOrderIds.includes(order.id)}
                  onChange={(event) => onKeepOrder(order.id, !event.target.checked)}
                />
              ) : null}
              <LinkButton size="sm" href={getPaymentHref(order.reference)} labelSuffix={order.plan}>
                {t("payOrder")}
              </LinkButton>
            </div>
          }
        >
          {t.rich("orderedText", {
            amount: formatMoney(order.amount, order.currency),
            ref: () => <Ltr mono>{order.reference}</Ltr>,
          })}
        </FormAlert>
      ))}
      {current.map((subscription) => {
        const { id, reference, moved_count: moved, suspended_count: suspended } = subscription;
        const dates = { date: formatDate(subscription.ends_at), until: formatDate(subscription.slots_until) };
        const currentPlan = () => <bdi>{subscription.plan}</bdi>;
        if (subscription.is_trial)
          return (
            <FormAlert
              key={id}
              tone={suspended > 0 ? "warning" : "info"}
              title={t.rich("trial", { plan: newPlan })}
            >
              <span>{t("trialText", { ...dates, count: moved })}</span>{" "}
              {suspended > 0 ? <span>{t("trialSuspended", { count: suspended })}</span> : null}
            </FormAlert>
          );
        return (
          <FormAlert
            key={id}
            tone={subscription.is_same_plan ? "warning" : "info"}
            title={t.rich(subscription.status === "past_due" ? "pastDue" : "running", {
              plan: currentPlan,
              ...dates,
            })}
            action={
              reference && (subscription.is_same_plan || subscription.status === "past_due") ? (
                <LinkButton size="sm" href={getPaymentHref(reference)} labelSuffix={subscription.plan}>
                  {t("renew")}
                </LinkButton>
              ) : null
            }
          >
            {t.rich(subscription.is_same_plan ? "sameText" : "otherText", {
              count: plan.site_slots,
              plan: newPlan,
            })}{" "}
            {moved + suspended > 0 ? <span>{t("atEnd", { ...dates, moved, suspended })}</span> : null}
          </FormAlert>
        );
      })}
      {restoredCount > 0 ? (
        <FormAlert tone="success">{t("restored", { count: restoredCount })}</FormAlert>
      ) : null}
    </>
  );
}
