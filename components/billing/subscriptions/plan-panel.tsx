"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { OrderCard } from "./order-card";
import { OwnPlanNotice } from "./own-plan-notice";
import { PlanCards, PlanContact } from "./plan-cards";
import { SubscriptionCard } from "./subscription-card";
import { TrialOffer } from "./trial-offer";
import { isTrialOffered } from "./trial-state";
import type { Billing, Contact, Plan, Trial } from "./types";

export interface PlanPanelProps {
  billing: Billing;
  plans: readonly Plan[];
  email: string;
  hasReseller: boolean;
  trial: Trial | null;
  verifyForm: ReactNode;
  /** The account above, if a sub-user looks at this. */
  owner: Contact | null;
}

export function PlanPanel({ billing, plans, email, hasReseller, trial, verifyForm, owner }: PlanPanelProps) {
  const t = useTranslations("billing");
  const { subscriptions, orders } = billing;
  const runningSubscriptions = subscriptions.filter(isRunning);
  const paidSubscriptions = runningSubscriptions.filter(({ is_trial: isTrial }) => !isTrial);
  const endedSubscriptions = subscriptions.filter((subscription) => !isRunning(subscription));
  return (
    <div className="flex flex-col gap-10">
      {orders.length > 0 ? (
        <Section title={t("order.heading")}>
          {orders.map((order) => (
            <OrderCard key={order.id} order={order} />
          ))}
        </Section>
      ) : null}
      {runningSubscriptions.length > 0 ? (
        <Section title={t("subscription.heading")}>
          {runningSubscriptions.map((subscription) => (
            <SubscriptionCard key={subscription.id} subscription={subscription} />
          ))}
        </Section>
      ) : null}
      <section id="plans" className="flex scroll-mt-24 flex-col gap-4">
        <h2 className="font-semibold text-h3">
          {t(paidSubscriptions.length > 0 ? "plans.more" : "plans.first")}
        </h2>
        {owner ? <OwnPlanNotice owner={owner} /> : null}
        {trial ? <TrialOffer trial={trial} verifyForm={verifyForm} /> : null}
        <PlanCards
          plans={plans}
          isMainOffer={!isTrialOffered(trial)}
          currentPlanIds={paidSubscriptions.map((subscription) => subscription.plan_id)}
        />
        <PlanContact email={email} hasReseller={hasReseller} />
      </section>
      {endedSubscriptions.length > 0 ? (
        <Section title={t("subscription.past")}>
          {endedSubscriptions.map((subscription) => (
            <SubscriptionCard key={subscription.id} subscription={subscription} />
          ))}
        </Section>
      ) : null}
    </div>
  );
}

const isRunning = ({ status }: Billing["subscriptions"][number]) =>
  status === "active" || status === "past_due";

function Section({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <section className="flex flex-col gap-4">
      <h2 className="font-semibold text-h3">{title}</h2>
      <div className="grid items-start gap-4 xl:grid-cols-2">{children}</div>
    </section>
  );
}
